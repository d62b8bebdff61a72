import { useTranslations } from "use-intl";
import styles from "./loading.module.css";

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

export function LoadingStatus() {
  const t = useTranslations("ui");
  return (
    <p className="vh" role="status">
      {t("loading")}
    </p>
  );
}
