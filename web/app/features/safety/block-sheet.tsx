import { useState } from "react";
import { useTranslations } from "use-intl";
import { banner } from "../../lib/banner.ts";
import { tellFailure } from "../../lib/failures.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";

interface BlockSheetProps {
  isOpen: boolean;
  name: string;
  /** Blocks, and leads away from where the blocked member is shown. */
  onBlock: () => Promise<void>;
  onClose: () => void;
}

/** Says what blocking does, and asks once. */
export function BlockSheet({ isOpen, name, onBlock, onClose }: BlockSheetProps) {
  const t = useTranslations("safety");
  const [isBusy, setBusy] = useState(false);

  async function handleBlock() {
    setBusy(true);
    try {
      await onBlock();
      banner.notify("safety.blocked");
      onClose();
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("title", { name })}>
      <p>{t("text")}</p>
      <div className="sheet__actions">
        <Button kind="danger" busy={isBusy} onClick={() => void handleBlock()}>
          {t("block")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
