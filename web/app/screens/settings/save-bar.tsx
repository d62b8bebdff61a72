import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { NoticeLine } from "../../layout/shell/notice-line.tsx";
import styles from "./settings.module.css";

/** The button of a text form, beside the number of unsaved changes. */
export function SaveBar({ changes, isBusy }: { changes: number; isBusy: boolean }) {
  const t = useTranslations("settings");
  return (
    <div className={styles.saveBar} data-bottom-bar>
      <span className="hint" role="status">
        {t("changes", { count: changes })}
      </span>
      <NoticeLine />
      <Button type="submit" busy={isBusy}>
        {t("save")}
      </Button>
    </div>
  );
}
