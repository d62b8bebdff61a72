import { useTranslations } from "use-intl";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import dialogStyles from "../../ui/dialog.module.css";

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
      <div className={dialogStyles.actions}>
        <Button kind="danger" busy={block.isBusy} onClick={block.start}>
          {t("block")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
