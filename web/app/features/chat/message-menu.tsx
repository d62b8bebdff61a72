import { useTranslations } from "use-intl";
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
  onReply: (messageId: string) => void;
  onUnsend: (messageId: string) => void;
  onReport: (messageId: string) => void;
}

export function MessageMenu({ item, onReply, onUnsend, onReport, ...menu }: MessageMenuProps) {
  const t = useTranslations("chat");
  if (item?.id == null) return null;
  const { id, isOwn } = item;
  const words = wordsOf(item);
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
  return <MenuAt {...menu} label={t("options")} entries={entries} align={isOwn ? "end" : "start"} />;
}

async function copy(text: string): Promise<void> {
  try {
    await device.copy(text);
    banner.notify("chat.copied");
  } catch {
    banner.alert("chat.notCopied");
  }
}
