import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation, useNavigate, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { focusHeading } from "../../lib/focus-heading.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { redirectToGoogle, useIsGoogleAvailable } from "../../lib/google.ts";
import { completeLogin } from "../../lib/session/complete-login.ts";
import { currentSession, deviceToken, useLogoutReason } from "../../lib/session/session.ts";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Art } from "../../ui/art.tsx";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { GoogleButton } from "../../ui/google-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { logInWithBotCheck } from "./log-in-with-bot-check.ts";

interface LoginScreenProps {
  /** The page after the login; null stays here. */
  next: string | null;
  solveBotCheck: (userId: string) => Promise<string>;
  botCheckNotice: ReactNode;
}

export function LoginScreen({ next, solveBotCheck, botCheckNotice }: LoginScreenProps) {
  const t = useTranslations("login");
  const signUp = useTranslations("signUp");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const revalidator = useRevalidator();
  const ending = useLogoutReason();
  const newUserId = useNewUserId();
  const hasGoogle = useIsGoogleAvailable();
  const [isChecking, setChecking] = useState(false);
  // Another screen may replace the login at the same URL and needs the focus.
  useEffect(() => () => void (currentSession() && focusHeading()), []);

  function handleGoogle(form: HTMLFormElement | null) {
    redirectToGoogle({
      purpose: "login",
      next: next ?? `${location.pathname}${location.search}`,
      isShared: form !== null && new FormData(form).has("shared"),
    });
  }

  const login = useAction(async (form: FormData) => {
    const userId = textOf(form, "user_id");
    const isShared = form.has("shared");
    const tokens = await logInWithBotCheck(
      { user_id: userId, password: textOf(form, "password"), device: deviceToken(isShared) },
      async () => {
        setChecking(true);
        return solveBotCheck(userId).finally(() => setChecking(false));
      },
    );
    await completeLogin(tokens, { isShared });
    if (next) await navigate(next, { replace: true });
    else await revalidator.revalidate();
  });

  function handleSubmit(form: HTMLFormElement) {
    login.start(new FormData(form));
  }

  return (
    <>
      <div className="login-art">
        <Art isCropped />
      </div>
      <Form className="login" onSubmit={handleSubmit}>
        {newUserId === null ? (
          <h1>{t("pitch")}</h1>
        ) : (
          <div className="stack-sm">
            <h1>{t("accountReady")}</h1>
            <p className="muted" role="status" id="sign-up-done">
              {signUp("done")}
            </p>
          </div>
        )}
        {ending && (
          <p className="note">
            <Icon name="info" />
            <span>{ending === "pins" ? t("endedPins") : t("endedUnused")}</span>
          </p>
        )}
        <TextField
          label={t("userId")}
          key={newUserId}
          name="user_id"
          defaultValue={newUserId ?? undefined}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          key={`of ${newUserId}`}
          label={t("password")}
          name="password"
          autoComplete="current-password"
          autoFocus={newUserId !== null}
          required
        />
        {newUserId === null && (
          <Check name="shared" hint={t("sharedHint")}>
            {t("shared")}
          </Check>
        )}
        <Button type="submit" block busy={login.isBusy}>
          {t("logIn")}
        </Button>
        {isChecking && (
          <div className="stack-sm">
            <p className="hint" role="status">
              {t("checking")}
            </p>
            {botCheckNotice}
          </div>
        )}
        {hasGoogle && newUserId === null && (
          <>
            <div className="or">{t("or")}</div>
            <GoogleButton onClick={(event) => handleGoogle(event.currentTarget.form)}>
              {t("withGoogle")}
            </GoogleButton>
          </>
        )}
        <div className="links-row">
          <Link className="link-btn" to={`${base}/reset-password`}>
            {t("forgot")}
          </Link>
          {newUserId === null ? (
            <Link className="link-btn" to={`${base}/sign-up`}>
              {t("createAccount")}
            </Link>
          ) : (
            <Link className="link-btn" to={`${base}/login`} replace>
              {t("otherId", { userId: newUserId })}
            </Link>
          )}
        </div>
      </Form>
    </>
  );
}

/** The id of an account that this visitor has just created. */
function useNewUserId(): string | null {
  const isHydrated = useIsHydrated();
  const state = useLocation().state as { newUserId?: string } | null;
  return isHydrated ? (state?.newUserId ?? null) : null;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
