import { useEffect, useRef, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { isolated } from "../../lib/texts/isolated.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Decision } from "./decision.ts";
import { classNames } from "../../ui/class-names.ts";
import undoLineStyles from "../../ui/styles/undo-line.module.css";
import styles from "./decision-bar.module.css";

const SHOWN_MS = 5_000;

interface StatusLineProps {
  decision: Decision | null;
  /** Null if nothing can be undone. */
  onUndo: (() => void) | null;
  /** The quota of today. Shown while there is no decision. */
  quota?: string | null;
  /** Puts the card off. Offered beside the quota. */
  onLater?: (() => void) | null;
  /** Called when the decision was shown for five seconds; absent if it stays. */
  onShown?: () => void;
}

/** The last decision with its Undo, else the quota of today. The page has a status of its own for screen readers. */
export function StatusLine({ decision, onUndo, quota = null, onLater = null, onShown }: StatusLineProps) {
  const t = useTranslations("home");
  const locale = useLocale();
  const [isHeld, setHeld] = useState(false);
  useTimeout(decision && onShown && !isHeld ? onShown : null, decision);
  if (!decision)
    return (
      <p className={classNames(styles.status, undoLineStyles.line, styles.statusQuota)}>
        {quota}
        {onLater && (
          <button type="button" onClick={onLater}>
            {t("later")}
          </button>
        )}
      </p>
    );
  // A full stop follows it in English.
  const shownName = locale === "en" ? decision.name.replace(/\.$/, "") : decision.name;
  return (
    <p
      className={classNames(styles.status, undoLineStyles.line, styles.statusNew)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span aria-hidden="true">
        {t.rich(DECISION_TEXT[decision.kind], { name: isolated(shownName), b: (name) => <b>{name}</b> })}
      </span>
      {onUndo && (
        <button type="button" aria-keyshortcuts="U Backspace" onClick={onUndo}>
          <Icon name="undo" small />
          {t("undo")}
        </button>
      )}
    </p>
  );
}

export const DECISION_TEXT = { like: "liked", matched: "matched", pass: "passed", undone: "undone" } as const;

/** Starts again with each new decision. */
function useTimeout(onEnd: (() => void) | null, decision: Decision | null): void {
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  });
  const isRunning = onEnd !== null;
  useEffect(() => {
    if (!isRunning || !decision) return undefined;
    const timer = setTimeout(() => latest.current?.(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isRunning, decision]);
}
