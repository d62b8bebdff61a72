import { useState } from "react";
import { useTranslations } from "use-intl";
import { tellFailure } from "../../lib/failures.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";

interface UnsendSheetProps {
  isOpen: boolean;
  onUnsend: () => Promise<void>;
  onClose: () => void;
  /** Where the focus goes, since the message that it came from may be gone. */
  focusAfter: () => HTMLElement | null;
}

/** Says what taking a message back does, and asks once. */
export function UnsendSheet({ isOpen, onUnsend, onClose, focusAfter }: UnsendSheetProps) {
  const t = useTranslations("chat");
  const [isBusy, setBusy] = useState(false);

  async function handleUnsend() {
    setBusy(true);
    try {
      await onUnsend();
      onClose();
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("takeBackTitle")} focusAfter={focusAfter}>
      <p>{t("takeBackText")}</p>
      <div className="sheet__actions">
        <Button kind="danger" busy={isBusy} onClick={() => void handleUnsend()}>
          {t("takeBack")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("keepIt")}
        </Button>
      </div>
    </Sheet>
  );
}
