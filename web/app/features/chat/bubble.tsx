import { memo, useState, type MouseEvent } from "react";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { momentText, timeText } from "../../lib/dates-and-units/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { ChatItem } from "./conversation/message-history.ts";
import { linkify } from "./linkify.tsx";
import { OutgoingPicture } from "./outgoing-picture.tsx";
import { QuoteButton } from "./quote.tsx";

interface BubbleProps {
  item: ChatItem;
  friend: Party;
  isLastOfGroup: boolean;
  isLastRead: boolean;
  /** Its menu is open. */
  isHeld: boolean;
  /** A quote led to it. */
  isFound: boolean;
  /** Tab reaches this message's options; arrow keys reach the others. */
  isTabStop: boolean;
  actions: BubbleActions;
}

export interface BubbleActions {
  view(image: string): void;
  openMenu(messageId: string): void;
  showOriginal(messageId: string): void;
  retry(key: string): void;
  discard(key: string): void;
  cancel(key: string): void;
}

export const Bubble = memo(function Bubble({
  item,
  friend,
  isLastOfGroup,
  isLastRead,
  isHeld,
  isFound,
  isTabStop,
  actions,
}: BubbleProps) {
  const t = useTranslations("chat");
  const { id, text, reply, delivery } = item;
  // Not while text is selected for copying.
  const handleMenu = (event: MouseEvent) => {
    if (id === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    actions.openMenu(id);
  };
  const quote = reply && <QuoteButton quote={reply} friend={friend} onShow={actions.showOriginal} />;
  const classes = ["bubble", item.isOwn && "bubble--own", isHeld && "is-held", isFound && "is-found"];
  if (delivery === "failed" || delivery === "waiting") classes.push(`bubble--${delivery}`);
  return (
    <li className={classes.filter(Boolean).join(" ")} onContextMenu={handleMenu}>
      <span className="vh">{item.isOwn ? t("fromYou") : t("fromThem")}</span>
      {text === null && quote && <p className="bubble__quote">{quote}</p>}
      {item.imageUrl !== null && id === null && <OutgoingPicture item={item} onCancel={actions.cancel} />}
      {item.imageUrl !== null && id !== null && (
        <MessageImage src={item.imageUrl} isVeiled={!item.isOwn} onView={actions.view} />
      )}
      {text !== null && (
        <p>
          {quote}
          {linkify(text)}
        </p>
      )}
      {delivery === "sent" && (isLastOfGroup || isLastRead) && (
        <span className="bubble__foot">
          {isLastOfGroup && (
            <time dateTime={item.at.toISOString()} title={momentText(item.at)}>
              {timeText(item.at)}
            </time>
          )}
          {isLastRead && <span aria-live="off">{t("read")}</span>}
        </span>
      )}
      {(delivery === "sending" || delivery === "waiting") && (
        <span className="bubble__foot">
          <span>{t(delivery)}</span>
        </span>
      )}
      {id !== null && (
        <button
          type="button"
          className="icon-btn bubble__more"
          data-message={id}
          aria-label={t("options")}
          aria-haspopup="menu"
          aria-expanded={isHeld}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => actions.openMenu(id)}
        >
          <Icon name="more" small />
        </button>
      )}
      {delivery === "failed" && (
        <span className="bubble__state">
          <Icon name="alert" small />
          <span>{t("notSent")}</span>
          <button type="button" onClick={() => actions.retry(item.key)}>
            {t("retry")}
          </button>
          <button type="button" onClick={() => actions.discard(item.key)}>
            {t("discard")}
          </button>
        </span>
      )}
    </li>
  );
});

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
