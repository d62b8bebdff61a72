import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { isolated } from "../../../lib/texts/isolated.ts";
import { useLanguagePath } from "../../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Sheet } from "../../../ui/dialog.tsx";
import dialogStyles from "../../../ui/dialog.module.css";
import type { WarningKind } from "./find-warning.ts";

interface WarningSheetProps {
  isOpen: boolean;
  kind: WarningKind;
  friend: PublicUser;
  onReport: () => void;
  onClose: () => void;
}

/** A threat often asks for money. */
const THREATENING: readonly WarningKind[] = ["threat", "money"];

/** Explains a warning, and that nobody else learns of it. */
export function WarningSheet({ isOpen, kind, friend, onReport, onClose }: WarningSheetProps) {
  const t = useTranslations("chat");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("warningTitle")} closeButton>
      <p>{t(`warningText_${kind}`)}</p>
      <p className="muted">{t("warningPrivate", { name: isolated(friend.username) })}</p>
      <div className={dialogStyles.actions}>
        {THREATENING.includes(kind) && (
          <Link
            className={buttonClass({ kind: "quiet" })}
            to={`${base}/threat?userId=${encodeURIComponent(friend.user_id)}`}
          >
            {tSafety("threat")}
          </Link>
        )}
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
