import { useTranslations } from "use-intl";
import { Shell } from "../../layout/shell/shell.tsx";
import { Spinner } from "../../ui/loading.tsx";
import messagePageStyles from "../../ui/styles/message-page.module.css";

/** Shown while a redirect or an opened link becomes a login. */
export function SigningIn() {
  const t = useTranslations("login");
  return (
    <Shell width="form">
      <div className={messagePageStyles.page} role="status">
        <Spinner />
        <h1>{t("signingIn")}</h1>
        <p className="muted">{t("oneMoment")}</p>
      </div>
    </Shell>
  );
}
