import { useTranslations } from "use-intl";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";

interface BlockSheetProps {
  isOpen: boolean;
  name: string;
  isMatch: boolean;
  /** Blocks the member and leaves their page. */
  onBlock: () => Promise<void>;
  onClose: () => void;
}

export function BlockSheet({ isOpen, name, isMatch, onBlock, onClose }: BlockSheetProps) {
  const t = useTranslations("safety");
  const block = useAction(async () => {
    await onBlock();
    banner.notify("safety.blocked");
    onClose();
  });

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("title", { name: isolated(name) })}>
      <p>{t(isMatch ? "textMatch" : "text")}</p>
      <SheetButtons
        isBusy={block.isBusy}
        onConfirm={block.start}
        confirm={t("block")}
        cancel={t("cancel")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
