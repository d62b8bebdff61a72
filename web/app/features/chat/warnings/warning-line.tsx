import { useTranslations } from "use-intl";
import { Icon } from "../../../ui/icon.tsx";
import buttonStyles from "../../../ui/button.module.css";
import type { WarningKind } from "./find-warning.ts";
import styles from "./warning-line.module.css";

interface WarningLineProps {
  kind: WarningKind;
  onReport: () => void;
  onExplain: () => void;
}

/** One calm line under a received message; an entry of the log. */
export function WarningLine({ kind, onReport, onExplain }: WarningLineProps) {
  const t = useTranslations("chat");
  return (
    <li className={styles.warning}>
      <Icon name="info" small />
      <span>{t(`warning_${kind}`)}</span>
      <span className={styles.choices}>
        <button type="button" className={buttonStyles.linkButton} onClick={onReport}>
          {t("reportMessage")}
        </button>
        <button type="button" className={buttonStyles.linkButton} onClick={onExplain}>
          {t("warningWhat")}
        </button>
      </span>
    </li>
  );
}
