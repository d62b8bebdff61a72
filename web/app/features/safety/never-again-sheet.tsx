import { useTranslations } from "use-intl";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";

interface NeverAgainSheetProps {
  isOpen: boolean;
  name: string;
  /** Passes for good and leaves the card or page. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

export function NeverAgainSheet({ isOpen, name, onConfirm, onClose }: NeverAgainSheetProps) {
  const t = useTranslations("safety");
  const confirm = useAction(async () => {
    await onConfirm();
    banner.notify("safety.neverAgainDone");
    onClose();
  });
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("neverAgainTitle", { name: isolated(name) })}>
      <p>{t("neverAgainText")}</p>
      <SheetButtons
        isBusy={confirm.isBusy}
        onConfirm={confirm.start}
        confirm={t("neverAgain")}
        cancel={t("cancel")}
        onCancel={onClose}
      />
    </Sheet>
  );
}
