import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";

interface UnsendSheetProps {
  isOpen: boolean;
  onUnsend: () => Promise<void>;
  onClose: () => void;
  /** Receives the focus, because the message's own button is gone. */
  focusAfter: () => HTMLElement | null;
}

export function UnsendSheet({ isOpen, onUnsend, onClose, focusAfter }: UnsendSheetProps) {
  const t = useTranslations("chat");
  const unsend = useAction(async () => {
    await onUnsend();
    onClose();
  });

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("unsendTitle")} focusAfter={focusAfter}>
      <p>{t("unsendText")}</p>
      <SheetButtons
        isBusy={unsend.isBusy}
        onConfirm={unsend.start}
        confirm={t("unsend")}
        cancel={t("keepIt")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
