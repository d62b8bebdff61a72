import { useTranslations } from "use-intl";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import bannersStyles from "./banners.module.css";
import styles from "./no-script-notice.module.css";

/** For a prerendered page whose app does not load: no control works. */
export function NoScriptNotice() {
  const t = useTranslations("shell");
  if (useIsHydrated()) return null;
  return (
    <>
      <noscript>
        <p className={classNames(noteStyles.note, noteStyles.danger, styles.page)}>
          <Icon name="alert" />
          <span>{t("needsScript")}</span>
        </p>
      </noscript>
      <div className={classNames(bannersStyles.banners, styles.loadFailed)}>
        <p className={classNames(noteStyles.note, noteStyles.danger)} role="alert">
          <Icon name="alert" />
          <span>{t("loadFailed")}</span>
        </p>
      </div>
    </>
  );
}
