import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/settings.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";

interface UpgradeSheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The server's message. */
  title: string;
  prices: ReactNode;
}

export function UpgradeSheet({ isOpen, onClose, title, prices }: UpgradeSheetProps) {
  const t = useTranslations("upgrade");
  const base = useLanguagePath();
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={title}>
      <p className="muted">{t("text", { count: settings.paidLikesPerDay })}</p>
      {prices}
      <div className="sheet__actions">
        <Link className={buttonClass({ kind: "lamp" })} to={`${base}/upgrade-account`}>
          {t("seePlans")}
        </Link>
        <Button kind="ghost" onClick={onClose}>
          {t("notNow")}
        </Button>
      </div>
    </Sheet>
  );
}
