import { useTranslations } from "use-intl";
import { useLogoutReason } from "../../lib/session/session.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLoginState } from "./login-state.ts";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./login.module.css";

/** Why the login is here. */
export function LoginHeading({ className }: { className?: string | undefined }) {
  const t = useTranslations("login");
  const signUp = useTranslations("signUp");
  const known = useLoginState();
  const ending = useLogoutReason();
  return (
    <div className={classNames(styles.part, className)}>
      {known === null ? (
        <h1>{t("welcomeBack")}</h1>
      ) : (
        <div className="stack-sm">
          <h1>{known.after === "signUp" ? t("accountReady") : t("passwordSaved")}</h1>
          <p className="muted" role="status">
            {known.after === "signUp"
              ? signUp("done")
              : t.rich("yourId", { userId: known.userId, b: (text) => <strong>{text}</strong> })}
          </p>
        </div>
      )}
      {ending && (
        <p className={noteStyles.note}>
          <Icon name="info" />
          <span>{ending === "pins" ? t("endedPins") : t("endedUnused")}</span>
        </p>
      )}
    </div>
  );
}
