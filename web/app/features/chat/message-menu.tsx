import { useTranslations } from "use-intl";
import { REACTIONS, type ReactionName } from "@alcove/contract/messaging";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { MenuAt, type MenuEntry } from "../../ui/menu.tsx";
import { wordsOf, type ChatItem } from "./conversation/message-history.ts";

interface MessageMenuProps {
  item: ChatItem | null;
  isOpen: boolean;
  isByKeyboard: boolean;
  anchor: () => HTMLElement | null;
  onClose: () => void;
  /** Receives the focus after closing. */
  focusAfter: () => HTMLElement | null;
  /** Null takes the reaction back. */
  onReact: (messageId: string, reaction: ReactionName | null) => void;
  onReply: (messageId: string) => void;
  onUnsend: (messageId: string) => void;
  onReport: (messageId: string) => void;
}

export function MessageMenu({ item, onReact, onReply, onUnsend, onReport, ...menu }: MessageMenuProps) {
  const t = useTranslations("chat");
  if (item?.id == null) return null;
  const { id, isOwn, ownReaction } = item;
  const words = wordsOf(item);
  const reactions = REACTIONS.map((reaction) => ({
    icon: reaction,
    label: t(`reaction_${reaction}`),
    isChosen: reaction === ownReaction,
    onChoose: () => onReact(id, reaction === ownReaction ? null : reaction),
  }));
  const entries: MenuEntry[] = [{ icon: "reply", label: t("reply"), onChoose: () => onReply(id) }];
  if (words !== null) entries.push({ icon: "copy", label: t("copy"), onChoose: () => void copy(words) });
  entries.push(
    isOwn
      ? {
          icon: "undo",
          label: t("unsend"),
          hint: t("unsendHint"),
          isDanger: true,
          onChoose: () => onUnsend(id),
        }
      : { icon: "flag", label: t("reportMessage"), onChoose: () => onReport(id) },
  );
  return (
    <MenuAt
      {...menu}
      label={t("options")}
      choices={{ label: t("react"), options: reactions }}
      entries={entries}
      align={isOwn ? "end" : "start"}
    />
  );
}

async function copy(text: string): Promise<void> {
  try {
    await device.copy(text);
    banner.notify("chat.copied");
  } catch {
    banner.alert("chat.notCopied");
  }
}
