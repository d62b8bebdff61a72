import { memo, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useTranslations } from "use-intl";
import { momentText, timeText } from "../../lib/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ChatItem } from "./conversation.ts";
import { linkify } from "./linkify.tsx";

interface BubbleProps {
  item: ChatItem;
  /** The last of several shows the time of all. */
  isLastOfGroup: boolean;
  /** The friend has read up to this message of ours. */
  isLastRead: boolean;
  /** Whether Tab leads to the options of this message; those of the others are an arrow key away. */
  isTabStop: boolean;
  does: BubbleActions;
}

/** What can be done with a message, by its id, or by its key while it has none. */
export interface BubbleActions {
  view(image: string): void;
  report(messageId: string): void;
  unsend(messageId: string): void;
  retry(key: string): void;
  discard(key: string): void;
}

/** One message: text, image, or both; what is still on its way says so. */
export const Bubble = memo(function Bubble({
  item,
  isLastOfGroup,
  isLastRead,
  isTabStop,
  does,
}: BubbleProps) {
  const t = useTranslations("chat");
  const { id } = item;
  const isStored = item.delivery === "sent";
  const [isAsked, setAsked] = useState(false);
  // A press held down or the right button offers what can be done; whoever has marked words wants to copy them.
  const handleMenu = (event: MouseEvent) => {
    if (id === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    setAsked(!isAsked);
  };
  // Esc closes what opened last; hiding the screen is for the next one.
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape" || !isAsked) return;
    event.currentTarget.querySelector<HTMLElement>("[data-message]")?.focus();
    setAsked(false);
  };
  return (
    <li
      className={item.isOwn ? "bubble bubble--own" : "bubble"}
      onContextMenu={handleMenu}
      onKeyDown={handleKey}
    >
      <span className="vh">{item.isOwn ? t("fromYou") : t("fromThem")}</span>
      {item.image && <Picture src={item.image} isVeiled={!item.isOwn} onView={does.view} />}
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
          aria-expanded={isAsked}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => setAsked(!isAsked)}
        >
          <Icon name="more" small />
        </button>
      )}
      {isAsked && id !== null && (
        <span className="bubble__state bubble__state--options">
          <button
            ref={showWhole}
            type="button"
            className="link-btn"
            onClick={() => (item.isOwn ? does.unsend(id) : does.report(id))} // it stays for the focus to come back to
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
          <button type="button" className="link-btn" onClick={() => does.retry(item.key)}>
            {t("retry")}
          </button>
          <button type="button" className="link-btn" onClick={() => does.discard(item.key)}>
            {t("discard")}
          </button>
        </span>
      )}
    </li>
  );
});

/** What opens below a message may be out of sight in a small log. */
function showWhole(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Pictures of the other side arrive veiled, and are again when the screen was left. */
function Picture({
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
        <img src={src} alt="" />
        <span className="veil__label">
          <Icon name="eye" small />
          {t("tapToView")}
        </span>
      </button>
    );
  }
  return (
    <button type="button" className="bubble__img" aria-label={t("enlarge")} onClick={() => onView(src)}>
      <img src={src} alt={t("image")} />
    </button>
  );
}
