import type { KeyboardEvent, ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Verdict } from "@alcove/contract/discovery";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import styles from "./decision-bar.module.css";

interface DecisionBarProps {
  /** Null while a card leaves: the buttons keep the focus and their look. */
  onVerdict: ((verdict: Verdict) => void) | null;
  /** A member already passed can only be liked. */
  isPassed?: boolean;
  children: ReactNode;
}

/** Pass and Like, by button or arrow key, and the status line. */
export function DecisionBar({ onVerdict, isPassed = false, children }: DecisionBarProps) {
  const t = useTranslations("home");
  const like = () => onVerdict?.("like");
  const pass = () => onVerdict?.("pass");
  useShortcuts(isPassed ? { ArrowRight: like } : { ArrowRight: like, ArrowLeft: pass });
  const isOff = onVerdict === null || undefined;
  return (
    <div
      className={styles.bar}
      role="group"
      aria-label={t("decide")}
      data-bottom-bar
      onKeyDown={takeOncePerPress}
    >
      {!isPassed && (
        <Button kind="quiet" aria-disabled={isOff} onClick={pass}>
          <Icon name="close" small />
          {t("pass")}
          <kbd aria-hidden="true">←</kbd>
        </Button>
      )}
      <Button kind="lamp" aria-disabled={isOff} onClick={like}>
        <Icon name="like" small />
        {t("like")}
        <kbd aria-hidden="true">→</kbd>
      </Button>
      {children}
    </div>
  );
}

/** The buttons stay for the next card, so a held key must not decide on it. */
function takeOncePerPress(event: KeyboardEvent): void {
  if (event.repeat && event.key !== "Tab") event.preventDefault();
}
