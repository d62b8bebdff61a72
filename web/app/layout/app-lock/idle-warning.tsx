import { useTranslations } from "use-intl";
import { idle, useIdleWarning } from "../../lib/session/idle.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import dialogStyles from "../../ui/dialog.module.css";

export function IdleWarning() {
  const t = useTranslations("privacy");
  return (
    <Sheet isOpen={useIdleWarning()} onClose={idle.stay} title={t("idleWarning")}>
      <p className="muted">{t("idleWarningText")}</p>
      <div className={dialogStyles.actions}>
        <Button onClick={idle.stay}>{t("stay")}</Button>
      </div>
    </Sheet>
  );
}
