import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useNextCardText } from "../../features/prices/next-card.ts";
import { useShortcuts } from "../../features/verdict/use-shortcuts.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import { State } from "../../ui/state.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import stateStyles from "../../ui/state.module.css";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

interface CardUsedProps {
  nextCardAt: Date | null;
  onDue: () => void;
  /** Shows what paid members have, also when the member presses a key of a decision. */
  onPlans: () => void;
  children: ReactNode;
}

/** Today's cards are used. The niche fills with light until the next one comes. */
export function CardUsed({ nextCardAt, onDue, onPlans, children }: CardUsedProps) {
  const t = useTranslations("home");
  const minutes = useMinutesUntil(nextCardAt, onDue);
  const nextCardText = useNextCardText();
  useShortcuts({ ArrowLeft: onPlans, ArrowRight: onPlans });
  const isOne = settings.freeCardsPerDay === "1";
  return (
    <State
      title={t(isOne ? "empty_card_used" : "empty_cards_used")}
      light={minutes === null ? 0.5 : 1 - Math.min(1, minutes / DAY_MINUTES)}
    >
      {nextCardAt && minutes !== null ? (
        <>
          <Clock minutes={minutes} />
          <p>{nextCardText(nextCardAt)}</p>
        </>
      ) : (
        <p>{t("empty_card_used_text")}</p>
      )}
      {hasPurchases() && (
        <button
          type="button"
          className={classNames(buttonStyles.linkButton, stateStyles.link)}
          aria-haspopup="dialog"
          onClick={onPlans}
        >
          {t("paidLikes", { count: Number(settings.paidLikesPerDay) })}
          <Icon name="next" small />
        </button>
      )}
      {children}
    </State>
  );
}

function Clock({ minutes }: { minutes: number }) {
  const t = useTranslations("home");
  const time = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  const words = { hours: String(time.hours), minutes: String(time.minutes).padStart(2, "0") };
  return (
    <p className={stateStyles.clock} role="timer" aria-label={t("clockLabel", time)}>
      {t.rich("clock", { ...words, u: (unit) => <small>{unit}</small> })}
    </p>
  );
}

/** Whole minutes, rounded up. Calls `onDue` when none is left. */
function useMinutesUntil(at: Date | null, onDue: () => void): number | null {
  const minutesLeft = () => (at ? Math.max(0, Math.ceil((at.getTime() - serverNow()) / MINUTE_MS)) : null);
  const [minutes, setMinutes] = useState(minutesLeft);
  const update = useEffectEvent(() => {
    const left = minutesLeft();
    setMinutes(left);
    if (left === 0) onDue();
  });
  const hasEnd = at !== null;
  useEffect(() => {
    if (!hasEnd) return undefined;
    const timer = setInterval(update, MINUTE_MS);
    const handleVisible = () => document.visibilityState === "visible" && update();
    document.addEventListener("visibilitychange", handleVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", handleVisible);
    };
  }, [hasEnd]);
  return minutes;
}
