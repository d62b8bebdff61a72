import { useState, type MouseEvent } from "react";
import { useTranslations } from "use-intl";
import { momentText, timeText } from "../../lib/dates.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ChatItem } from "./conversation.ts";
import { linked } from "./linked.tsx";

interface BubbleProps {
  item: ChatItem;
  /** The last of several shows the time of all. */
  isLastOfGroup: boolean;
  onView: (image: string) => void;
  onReport: (messageId: string) => void;
  onRetry: () => void;
  onDiscard: () => void;
}

/** One message: text, image, or both; what is still on its way says so. */
export function Bubble({ item, isLastOfGroup, onView, onReport, onRetry, onDiscard }: BubbleProps) {
  const t = useTranslations("chat");
  const isStored = item.delivery === "sent";
  const [isAsked, setAsked] = useState(false);
  const isReportable = !item.isOwn && item.id !== null;
  // A press held down or the right button offers the report; whoever has marked words wants to copy them.
  const handleMenu = (event: MouseEvent) => {
    if (!isReportable || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    setAsked(!isAsked);
  };
  return (
    <li className={item.isOwn ? "bubble bubble--own" : "bubble"} onContextMenu={handleMenu}>
      <span className="vh">{item.isOwn ? t("fromYou") : t("fromThem")}</span>
      {item.image && <Picture src={item.image} isVeiled={!item.isOwn} onView={onView} />}
      {item.text !== null && <p>{linked(item.text)}</p>}
      {isStored && isLastOfGroup && (
        <time dateTime={item.at.toISOString()} title={momentText(item.at)}>
          {timeText(item.at)}
        </time>
      )}
      {(item.delivery === "sending" || item.delivery === "waiting") && (
        <span className="bubble__state">{t(item.delivery)}</span>
      )}
      {isAsked && (
        <span className="bubble__state">
          <button
            type="button"
            className="link-btn"
            onClick={() => onReport(item.id!)} // it stays for the focus to come back to
          >
            <Icon name="flag" small />
            {t("reportMessage")}
          </button>
        </span>
      )}
      {item.delivery === "failed" && (
        <span className="bubble__state bubble__state--failed">
          <Icon name="alert" small />
          {t("notSent")}
          <button type="button" className="link-btn" onClick={onRetry}>
            {t("retry")}
          </button>
          <button type="button" className="link-btn" onClick={onDiscard}>
            {t("discard")}
          </button>
        </span>
      )}
    </li>
  );
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
