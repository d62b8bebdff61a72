import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import dialogStyles from "../../ui/dialog.module.css";

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
      <div className={dialogStyles.actions}>
        <Button kind="danger" busy={unsend.isBusy} onClick={unsend.start}>
          {t("unsend")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("keepIt")}
        </Button>
      </div>
    </Sheet>
  );
}
