import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { IconButton } from "../../ui/button.tsx";
import styles from "./card-line.module.css";

/** Advises a larger area after the first position, where few members live. */
export function FewLive({ onClose }: { onClose: () => void }) {
  const t = useTranslations("location");
  return (
    <div className={styles.line} role="note">
      <p>
        {t("fewLive")} <Link to={`${useLanguagePath()}/setting/area`}>{t("chooseArea")}</Link>
      </p>
      <IconButton icon="close" label={t("notNow")} onClick={onClose} />
    </div>
  );
}
