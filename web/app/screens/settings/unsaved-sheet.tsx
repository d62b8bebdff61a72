import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { useUnsavedChanges } from "./use-unsaved-changes.ts";
import dialogStyles from "../../ui/dialog.module.css";

export function UnsavedSheet({ hasChanges }: { hasChanges: () => boolean }) {
  const t = useTranslations("settings");
  const blocker = useUnsavedChanges(hasChanges);
  return (
    <Sheet isOpen={blocker.state === "blocked"} onClose={() => blocker.reset?.()} title={t("unsaved")}>
      <p>{t("unsavedText")}</p>
      <div className={dialogStyles.actions}>
        <Button onClick={() => blocker.reset?.()}>{t("keepEditing")}</Button>
        <Button kind="ghost" onClick={() => blocker.proceed?.()}>
          {t("leave")}
        </Button>
      </div>
    </Sheet>
  );
}
