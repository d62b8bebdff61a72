import { useTranslations } from "use-intl";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { Icon } from "../../ui/icon.tsx";

/** For a prerendered page whose app does not load: no control works. */
export function NoScriptNotice() {
  const t = useTranslations("shell");
  if (useIsHydrated()) return null;
  return (
    <>
      <noscript>
        <p className="note note--danger note--page">
          <Icon name="alert" />
          <span>{t("needsScript")}</span>
        </p>
      </noscript>
      <div className="banners load-failed">
        <p className="note note--danger" role="alert">
          <Icon name="alert" />
          <span>{t("loadFailed")}</span>
        </p>
      </div>
    </>
  );
}
