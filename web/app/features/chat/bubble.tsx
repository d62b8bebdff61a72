import { memo, useState, type MouseEvent } from "react";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { momentText, timeText } from "../../lib/dates-and-units/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ChatItem } from "./conversation/message-history.ts";
import { linkify } from "./linkify.tsx";
import { MessageImage } from "./message-image.tsx";
import { MessageReactions } from "./message-reactions.tsx";
import { OutgoingPicture, UploadBar } from "./outgoing-picture.tsx";
import { QuoteButton } from "./quote.tsx";
import { VoiceNote } from "./voice/voice-note.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import styles from "./bubble.module.css";

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
  const [isJustSent] = useState(item.isOwn && delivery === "sending");
  // Not while text is selected for copying.
  const handleMenu = (event: MouseEvent) => {
    if (id === null || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    actions.openMenu(id);
  };
  const quote = reply && <QuoteButton quote={reply} friend={friend} onShow={actions.showOriginal} />;
  return (
    <li
      className={classNames(
        styles.bubble,
        item.isOwn && styles.own,
        isJustSent && styles.justSent,
        isHeld && styles.held,
        isFound && styles.found,
        delivery === "failed" && styles.failed,
        delivery === "waiting" && styles.waiting,
      )}
      onContextMenu={handleMenu}
    >
      <span className="vh">{item.isOwn ? t("fromYou") : t("fromThem")}</span>
      {text === null && quote && <p className={styles.quote}>{quote}</p>}
      {item.imageUrl !== null && id === null && <OutgoingPicture item={item} onCancel={actions.cancel} />}
      {item.imageUrl !== null && id !== null && (
        <MessageImage src={item.imageUrl} isVeiled={!item.isOwn} onView={actions.view} />
      )}
      {item.voice && <VoiceMessage item={item} voice={item.voice} onCancel={actions.cancel} />}
      {text !== null && (
        <p>
          {quote}
          <span className={styles.words} dir="auto">
            {linkify(text)}
          </span>
        </p>
      )}
      {id !== null && <MessageReactions item={item} friend={friend} onPress={() => actions.openMenu(id)} />}
      {delivery === "sent" && (isLastOfGroup || isLastRead) && (
        <span className={styles.foot}>
          {isLastOfGroup && (
            <time dateTime={item.at.toISOString()} title={momentText(item.at)}>
              {timeText(item.at)}
            </time>
          )}
          {isLastRead && <span aria-live="off">{t("read")}</span>}
        </span>
      )}
      {(delivery === "sending" || delivery === "waiting") && <Unsent>{t(delivery)}</Unsent>}
      {id !== null && (
        <button
          type="button"
          className={classNames(buttonStyles.iconButton, styles.more)}
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
      {delivery === "failed" && <NotSent itemKey={item.key} actions={actions} />}
    </li>
  );
});

function Unsent({ children }: { children: string }) {
  return (
    <span className={styles.foot}>
      <span>{children}</span>
    </span>
  );
}

interface VoiceMessageProps {
  item: ChatItem;
  voice: NonNullable<ChatItem["voice"]>;
  onCancel: (key: string) => void;
}

function VoiceMessage({ item, voice, onCancel }: VoiceMessageProps) {
  const t = useTranslations("chat");
  const { url, seconds, peaks, text } = voice;
  return (
    <div className={styles.voice}>
      <span className="vh">{t("voiceNote")}</span>
      <VoiceNote noteKey={item.key} source={url} seconds={seconds} peaks={peaks} />
      {text !== null && (
        <p className={styles.voiceText} dir="auto">
          {text}
        </p>
      )}
      <UploadBar item={item} onCancel={onCancel} />
    </div>
  );
}

function NotSent({ itemKey, actions }: { itemKey: string; actions: BubbleActions }) {
  const t = useTranslations("chat");
  return (
    <span className={styles.state} data-bottom-bar>
      <Icon name="alert" small />
      <span>{t("notSent")}</span>
      <button type="button" onClick={() => actions.retry(itemKey)}>
        {t("retry")}
      </button>
      <button type="button" onClick={() => actions.discard(itemKey)}>
        {t("discard")}
      </button>
    </span>
  );
}
