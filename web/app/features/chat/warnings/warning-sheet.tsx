import { useTranslations } from "use-intl";
import { isolated } from "../../../lib/texts/isolated.ts";
import { Button } from "../../../ui/button.tsx";
import { Sheet } from "../../../ui/dialog.tsx";
import dialogStyles from "../../../ui/dialog.module.css";
import type { WarningKind } from "./find-warning.ts";

interface WarningSheetProps {
  isOpen: boolean;
  kind: WarningKind;
  name: string;
  onReport: () => void;
  onClose: () => void;
}

/** Explains a warning, and that nobody else learns of it. */
export function WarningSheet({ isOpen, kind, name, onReport, onClose }: WarningSheetProps) {
  const t = useTranslations("chat");
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("warningTitle")} closeButton>
      <p>{t(`warningText_${kind}`)}</p>
      <p className="muted">{t("warningPrivate", { name: isolated(name) })}</p>
      <div className={dialogStyles.actions}>
        <Button kind="quiet" onClick={onReport}>
          {t("warningReport")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("warningClose")}
        </Button>
      </div>
    </Sheet>
  );
}
