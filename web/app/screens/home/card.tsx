import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Verdict } from "./candidates.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useSwipe } from "./use-swipe.ts";

interface CardProps {
  person: PublicUser;
  isDeciding: boolean;
  onVerdict: (verdict: Verdict) => void;
  /** Null if no pass can be undone. */
  onUndo: (() => void) | null;
  /** The card came back by undo and takes the focus. */
  isBack: boolean;
  onReport: () => void;
  children: ReactNode;
}

/** A candidate with two decisions: by button, arrow key or swipe. */
export function Card({ person, isDeciding, onVerdict, onUndo, isBack, onReport, children }: CardProps) {
  const t = useTranslations("home");
  useShortcuts({ ArrowRight: () => onVerdict("like"), ArrowLeft: () => onVerdict("pass") });
  return (
    <div className="stage">
      <Candidate key={person.user_id} {...{ person, onVerdict, isBack, onReport }}>
        {children}
      </Candidate>
      <div
        className={onUndo ? "decide decide--undo" : "decide"}
        role="group"
        aria-label={t("decide")}
        onKeyDown={takeOncePerPress}
      >
        {onUndo && (
          <IconButton icon="undo" label={t("undo")} aria-keyshortcuts="U Backspace" onClick={onUndo} />
        )}
        <Button kind="quiet" busy={isDeciding} onClick={() => onVerdict("pass")}>
          <Icon name="close" small />
          {t("pass")}
          <kbd aria-hidden="true">←</kbd>
        </Button>
        <Button kind="lamp" busy={isDeciding} onClick={() => onVerdict("like")}>
          <Icon name="like" small />
          {t("like")}
          <kbd aria-hidden="true">→</kbd>
        </Button>
      </div>
    </div>
  );
}

/** The buttons stay for the next card, so a held key must not decide on it. */
function takeOncePerPress(event: KeyboardEvent): void {
  if (event.repeat && event.key !== "Tab") event.preventDefault();
}

function Candidate({
  person,
  onVerdict,
  isBack,
  onReport,
  children,
}: Pick<CardProps, "person" | "onVerdict" | "isBack" | "onReport" | "children">) {
  const t = useTranslations("home");
  const base = useLanguagePath();
  const card = useRef<HTMLElement>(null);
  const portrait = useRef<HTMLAnchorElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const profile = `${base}/home/${encodeURIComponent(person.user_id)}`;
  useSwipe({ card, portrait }, onVerdict);
  useEffect(() => {
    if (isBack) title.current?.focus();
  }, [isBack]);
  return (
    <article ref={card} className="candidate" aria-roledescription={t("card")} aria-label={person.username}>
      <Link ref={portrait} className="portrait" to={profile} aria-label={t("viewProfile")} draggable={false}>
        <img src={person.icon} alt={person.username} width="600" height="600" draggable={false} />
      </Link>
      <div className="candidate__body">
        <div className="candidate__name">
          <h2 ref={title} tabIndex={-1} className="candidate__title">
            {person.username}
          </h2>
          <PictureBadge person={person} />
        </div>
        {children}
        <Link className="link-btn" to={profile}>
          {t("viewProfile")}
          <Icon name="next" small />
        </Link>
        <button type="button" className="link-btn candidate__report" onClick={onReport}>
          <Icon name="flag" small />
          {t("report")}
        </button>
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
