import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { useBase } from "../../lib/base.ts";
import { cover } from "../../lib/cover.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Verdict } from "./candidates.ts";
import { useSwipe } from "./use-swipe.ts";

interface CardProps {
  person: PublicUser;
  isJudging: boolean;
  onVerdict: (verdict: Verdict) => void;
  /** Introduction and table. */
  children: ReactNode;
}

/** One candidate and the two decisions: by button, by arrow key, by swipe. */
export function Card({ person, isJudging, onVerdict, children }: CardProps) {
  const t = useTranslations("home");
  useArrowKeys(onVerdict);
  return (
    <div className="stage">
      <Candidate key={person.user_id} person={person} onVerdict={onVerdict}>
        {children}
      </Candidate>
      <div className="decide" role="group" aria-label={t("decide")} onKeyDown={takeOncePerPress}>
        <Button kind="quiet" busy={isJudging} onClick={() => onVerdict("pass")}>
          <Icon name="close" small />
          {t("pass")}
          <kbd aria-hidden="true">←</kbd>
        </Button>
        <Button kind="lamp" busy={isJudging} onClick={() => onVerdict("like")}>
          <Icon name="like" small />
          {t("like")}
          <kbd aria-hidden="true">→</kbd>
        </Button>
      </div>
    </div>
  );
}

/** The buttons stay for the next card: a key that is held down must not decide on it. */
function takeOncePerPress(event: KeyboardEvent): void {
  if (event.repeat && event.key !== "Tab") event.preventDefault();
}

function Candidate({ person, onVerdict, children }: Omit<CardProps, "isJudging">) {
  const t = useTranslations("home");
  const base = useBase();
  const card = useRef<HTMLElement>(null);
  const profile = `${base}/home/${encodeURIComponent(person.user_id)}`;
  useSwipe(card, onVerdict);
  return (
    <article ref={card} className="candidate" aria-roledescription={t("card")} aria-label={person.username}>
      <Link className="portrait" to={profile} aria-label={t("viewProfile")} draggable={false}>
        <img src={person.icon} alt={person.username} width="600" height="600" draggable={false} />
      </Link>
      <div className="candidate__body">
        <div className="candidate__name">
          <h2 className="candidate__title">{person.username}</h2>
          <PictureBadge person={person} />
        </div>
        {children}
        <Link className="link-btn" to={profile}>
          {t("viewProfile")}
          <Icon name="next" small />
        </Link>
      </div>
    </article>
  );
}

function PictureBadge({ person }: { person: PublicUser }) {
  const t = useTranslations("home");
  if (!person.icon_process) return null;
  return (
    <span className="badge">
      <Icon name="glass" />
      {t("processed")}
    </span>
  );
}

const FIELD = "input, textarea, select, [contenteditable], [role='dialog']";

/** Right likes and left passes, unless somebody is typing, a dialog is open, or the card is hidden. */
function useArrowKeys(onVerdict: (verdict: Verdict) => void): void {
  const act = useRef(onVerdict);
  useEffect(() => {
    act.current = onVerdict;
  });
  useEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat;
      const isTyping =
        (event.target as Element | null)?.closest?.(FIELD) || document.querySelector("[role='dialog']");
      if (!isPlain || isTyping || cover.isUp()) return;
      if (event.key === "ArrowRight") act.current("like");
      if (event.key === "ArrowLeft") act.current("pass");
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);
}
