import { memo, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useTranslations } from "use-intl";
import { momentText, timeText } from "../../lib/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { ChatItem } from "./message-history.ts";
import { linkify } from "./linkify.tsx";

interface BubbleProps {
  item: ChatItem;
  isLastOfGroup: boolean;
  isLastRead: boolean;
  /** Tab reaches this message's options; arrow keys reach the others. */
  isTabStop: boolean;
  actions: BubbleActions;
}

export interface BubbleActions {
  view(image: string): void;
  report(messageId: string): void;
  unsend(messageId: string): void;
  retry(key: string): void;
  discard(key: string): void;
}

export const Bubble = memo(function Bubble({
  item,
  isLastOfGroup,
  isLastRead,
  isTabStop,
  actions,
}: BubbleProps) {
  const t = useTranslations("chat");
  const { id } = item;
  const isStored = item.delivery === "sent";
  const [isMenuOpen, setMenuOpen] = useState(false);
  // Not while text is selected for copying.
  const handleMenu = (event: MouseEvent) => {
    if (id === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    setMenuOpen(!isMenuOpen);
  };
  // This Esc must not count towards the privacy screen.
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape" || !isMenuOpen) return;
    event.currentTarget.querySelector<HTMLElement>("[data-message]")?.focus();
    setMenuOpen(false);
  };
  return (
    <li
      className={item.isOwn ? "bubble bubble--own" : "bubble"}
      onContextMenu={handleMenu}
      onKeyDown={handleKey}
    >
      <span className="vh">{item.isOwn ? t("fromYou") : t("fromThem")}</span>
      {item.imageUrl && <MessageImage src={item.imageUrl} isVeiled={!item.isOwn} onView={actions.view} />}
      {item.text !== null && <p>{linkify(item.text)}</p>}
      <span className="bubble__foot">
        {isStored && isLastOfGroup && (
          <time dateTime={item.at.toISOString()} title={momentText(item.at)}>
            {timeText(item.at)}
          </time>
        )}
        {isLastRead && <span aria-live="off">{t("read")}</span>}
      </span>
      {(item.delivery === "sending" || item.delivery === "waiting") && (
        <span className="bubble__state">{t(item.delivery)}</span>
      )}
      {id !== null && (
        <button
          type="button"
          className="icon-btn bubble__more"
          data-message={id}
          aria-label={t("options")}
          aria-expanded={isMenuOpen}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name="more" small />
        </button>
      )}
      {isMenuOpen && id !== null && (
        <span className="bubble__state bubble__state--options">
          <button
            ref={scrollIntoView}
            type="button"
            className="link-btn"
            onClick={() => (item.isOwn ? actions.unsend(id) : actions.report(id))} // it stays, so that the sheet can return the focus
          >
            <Icon name={item.isOwn ? "undo" : "flag"} small />
            {item.isOwn ? t("unsend") : t("reportMessage")}
          </button>
        </span>
      )}
      {item.delivery === "failed" && (
        <span className="bubble__state bubble__state--failed">
          <Icon name="alert" small />
          {t("notSent")}
          <button type="button" className="link-btn" onClick={() => actions.retry(item.key)}>
            {t("retry")}
          </button>
          <button type="button" className="link-btn" onClick={() => actions.discard(item.key)}>
            {t("discard")}
          </button>
        </span>
      )}
    </li>
  );
});

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** A friend's pictures are veiled until they are tapped, on each visit. */
function MessageImage({
  src,
  isVeiled,
  onView,
}: {
  src: string;
  isVeiled: boolean;
  onView: (image: string) => void;
}) {
  const t = useTranslations("chat");
  const [isHidden, setHidden] = useState(isVeiled);
  if (isHidden) {
    return (
      <button type="button" className="bubble__img veil" onClick={() => setHidden(false)}>
        <Picture src={src} alt="" sizes="14rem" />
        <span className="veil__label">
          <Icon name="eye" small />
          {t("tapToView")}
        </span>
      </button>
    );
  }
  return (
    <button type="button" className="bubble__img" aria-label={t("enlarge")} onClick={() => onView(src)}>
      <Picture src={src} alt={t("image")} sizes="14rem" />
    </button>
  );
}
