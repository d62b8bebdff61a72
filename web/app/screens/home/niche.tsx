import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { timeText } from "../../lib/dates-and-units/dates.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import stateStyles from "../../ui/state.module.css";
import styles from "./niche.module.css";

interface NicheProps {
  /** The chosen hour at which the card came. Null after "Later". */
  cameAt: Date | null;
  takesFocus: boolean;
  onOpen: () => void;
}

/** Today's card waits behind a dark niche. For the first time of a card that came, a tap lets the lamp in. */
export function Niche({ cameAt, takesFocus, onOpen }: NicheProps) {
  const t = useTranslations("home");
  const id = useId();
  const [isOpening, setOpening] = useState(false);
  const arch = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) arch.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  useOpened(arch, isOpening, onOpen);
  const time = cameAt && timeText(cameAt);
  return (
    <div className={stateStyles.state} data-centered="">
      <div className={styles.frame}>
        <button
          ref={arch}
          type="button"
          className={styles.niche}
          data-opening={isOpening || undefined}
          aria-describedby={time === null ? undefined : id}
          onClick={() => (cameAt ? setOpening(true) : onOpen())}
        >
          <span className={classNames(buttonClass({ kind: "lamp" }), styles.label)}>{t("openCard")}</span>
        </button>
        <span className={styles.hour} aria-hidden>
          {time}
        </span>
      </div>
      <h2>{t(cameAt ? "cardCame" : "cardPutOff")}</h2>
      <p>{t("cardStays")}</p>
      {time !== null && (
        <p className="vh" id={id}>
          {t("cameAt", { time })}
        </p>
      )}
    </div>
  );
}

/** Waits for the animation that the style sheet gives the lamp; without one the card shows at once. */
function useOpened(
  arch: { readonly current: HTMLElement | null },
  isOpening: boolean,
  onOpen: () => void,
): void {
  const latest = useRef(onOpen);
  useEffect(() => {
    latest.current = onOpen;
  });
  useLayoutEffect(() => {
    if (!isOpening) return undefined;
    let isMounted = true;
    const animations = arch.current?.getAnimations?.({ subtree: true }) ?? [];
    const wait = async () => {
      await Promise.allSettled(animations.map(({ finished }) => finished));
      if (isMounted) latest.current();
    };
    void wait();
    return () => {
      isMounted = false;
    };
  }, [arch, isOpening]);
}
