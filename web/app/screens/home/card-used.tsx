import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { useNextCardText } from "../../features/prices/next-card.ts";
import { useShortcuts } from "../../features/verdict/use-shortcuts.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";
import { State } from "../../ui/state.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./evening.module.css";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

interface CardUsedProps {
  user: User;
  nextCardAt: Date | null;
  /** The first day (UTC) whose likes are shown. */
  likesSince: string;
  onDue: () => void;
  /** Shows what paid members have, also when the member presses a key of a decision. */
  onPlans: () => void;
  children: ReactNode;
}

const eveningRows = lazyModule(() => import("./evening-rows.tsx"));

/** Today's cards are used: the evening of the day. The niche fills with light until the next card comes. */
export function CardUsed({ user, nextCardAt, likesSince, onDue, onPlans, children }: CardUsedProps) {
  const t = useTranslations("home");
  const minutes = useMinutesUntil(nextCardAt, onDue);
  const loaded = useLazyModule(eveningRows, true);
  useShortcuts({ ArrowLeft: onPlans, ArrowRight: onPlans });
  const isOne = settings.freeCardsPerDay === "1";
  return (
    <div className={styles.evening}>
      <State
        isHead
        title={t(isOne ? "empty_card_used" : "empty_cards_used")}
        light={minutes === null ? 0.5 : 1 - Math.min(1, minutes / DAY_MINUTES)}
      >
        {children}
      </State>
      {loaded && <loaded.EveningRows user={user} since={likesSince} />}
      <NextCard at={nextCardAt} minutes={minutes} />
      {hasPurchases() && (
        <button
          type="button"
          className={classNames(buttonStyles.linkButton, styles.membership)}
          aria-haspopup="dialog"
          onClick={onPlans}
        >
          {t("paidLikes", { count: Number(settings.paidLikesPerDay) })}
          <Icon name="next" small />
        </button>
      )}
    </div>
  );
}

function NextCard({ at, minutes }: { at: Date | null; minutes: number | null }) {
  const t = useTranslations("home");
  const chooseHour = useTranslations("settings")("arrival");
  const nextCardText = useNextCardText();
  return (
    <section className={classNames(cardStyles.card, styles.next)}>
      <Icon name="clock" />
      <p>{at ? nextCardText(at) : t("empty_card_used_text")}</p>
      {minutes !== null && <TimeLeft minutes={minutes} />}
      <Link className={styles.addition} to={`${useLanguagePath()}/setting/arrival`}>
        {chooseHour}
      </Link>
    </section>
  );
}

function TimeLeft({ minutes }: { minutes: number }) {
  const t = useTranslations("home");
  const time = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return (
    <p className={styles.left} role="timer">
      {t("clock", time)}
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
