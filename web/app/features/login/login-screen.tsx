import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import type { ValidationErrors } from "@alcove/contract/fields";
import { useTranslations } from "use-intl";
import { ApiError } from "../../lib/api/errors.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { browserStore } from "../../device/stored.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { redirectToGoogle } from "../../lib/sign-in/google.ts";
import { opensLoginAtOnce, useWasLoginOpened } from "../../lib/first-paint/pre-hydration-queue.ts";
import { currentSession, useIsKnownDevice } from "../../lib/session/session.ts";
import { type LoginState, startClass } from "../../lib/first-paint/start-view.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Art } from "../../ui/art.tsx";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Facts, Pitch } from "./landing.tsx";
import { useIsBotChecked } from "./log-in-with-bot-check.ts";
import { LoginHeading } from "./login-heading.tsx";
import { useLoginState } from "./login-state.ts";
import { RecoveryCode } from "./recovery-code.tsx";
import { WithGoogle } from "./with-google.tsx";
import { WithPasskey } from "./with-passkey.tsx";
import { classNames } from "../../ui/class-names.ts";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import buttonStyles from "../../ui/button.module.css";
import styles from "./login.module.css";

interface LoginScreenProps {
  /** `built` is the page before hydration, which holds both. The form keeps its place and its input in all. */
  view: "login" | "landing" | "built";
  /** The route whose `action` gets the form. */
  action: string;
  /** The page after a login with Google; null stays here. */
  next: string | null;
  botCheckNotice: ReactNode;
}

export function LoginScreen({ view, action, next, botCheckNotice }: LoginScreenProps) {
  const t = useTranslations("login");
  const isBuilt = view === "built";
  const [isOpened, setOpened] = useState(false);
  const isOpen = useWasLoginOpened() || isOpened;
  const fields = useRef<HTMLDivElement>(null);
  // Another screen may replace the login at the same URL and needs the focus.
  useEffect(() => () => void (currentSession() && focusHeading()), []);

  function open() {
    setOpened(true);
    fields.current!.hidden = false; // a hidden field takes no focus
    fields.current!.querySelector("input")!.focus();
  }

  const only = (name: "landing" | "login") => (isBuilt ? startClass[name] : undefined);
  return (
    <>
      <div className={styles.art}>
        <Art isCropped viewBox="0 22 400 240" />
      </div>
      <div className={styles.login}>
        {view !== "landing" && <LoginHeading className={only("login")} />}
        {view !== "login" && <Pitch className={only("landing")} isOpen={isOpen} />}
        {view !== "login" && !isOpen && (
          <div className={isBuilt ? classNames(startClass.landing, startClass.opener) : undefined}>
            <Button kind="quiet" block onClick={open} aria-expanded={false} {...opensLoginAtOnce}>
              {t("logIn")}
            </Button>
          </div>
        )}
        <div
          ref={fields}
          className={isBuilt && !isOpen ? startClass.form : undefined}
          hidden={view === "landing" && !isOpen}
        >
          <LoginForm isLanding={view === "landing"} {...{ action, next, botCheckNotice }} />
        </div>
        {view !== "login" && <Facts className={only("landing")} />}
      </div>
    </>
  );
}

/** Only the server knows more about an id and a password. */
function missingOf(fields: FormData): ValidationErrors {
  const missing = ["user_id", "password"].filter((name) => fields.get(name) === "");
  return Object.fromEntries(missing.map((name) => [name, ["required"]]));
}

interface LoginFormProps extends Pick<LoginScreenProps, "action" | "next" | "botCheckNotice"> {
  isLanding: boolean;
}

function LoginForm({ isLanding, action, next, botCheckNotice }: LoginFormProps) {
  const t = useTranslations("login");
  const known = useLoginState();
  const isChecking = useIsBotChecked();
  const isHydrated = useIsHydrated();
  // Writes into the storage.
  const isForgotten = useMemo(() => isHydrated && browserStore.isLossy(), [isHydrated]);
  const isKnownDevice = useIsKnownDevice();
  const [needsFactor, setNeedsFactor] = useState(false);
  const form = useForm<true>({
    check: missingOf,
    action,
    onFailure({ error }) {
      const code = error instanceof ApiError ? error.code : null;
      // After a stop, a recovery code opens the account where the device is not known.
      if (code === "passkey_required" || code === "logins_stopped") setNeedsFactor(true);
      return code === "passkey_required";
    },
  });

  useKnownUserId(form.props.ref, known?.userId);

  function handleGoogle(element: HTMLFormElement | null) {
    redirectToGoogle({
      purpose: "login",
      next: next ?? `${location.pathname}${location.search}`,
      isShared: element !== null && new FormData(element).has("shared"),
    });
  }

  return (
    <Form className={styles.part} {...form.props}>
      <TextField
        label={t(isKnownDevice ? "userIdOrEmail" : "userId")}
        name="user_id"
        autoComplete={isKnownDevice ? "username webauthn" : "username"}
        autoCapitalize="none"
        spellCheck={false}
        {...form.errorsOf("user_id")}
        required
      />
      <PasswordField
        label={t("password")}
        name="password"
        autoComplete="current-password"
        {...form.errorsOf("password")}
        required
      />
      {needsFactor && <RecoveryCode errors={form.errorsOf("recovery_code")} />}
      {isForgotten && (
        <p className="hint" role="status">
          {t("storageBlocked")}
        </p>
      )}
      {known === null && (
        <div className={styles.notOnPhone}>
          <Check name="shared" hint={t("sharedHint")}>
            {t("shared")}
          </Check>
        </div>
      )}
      <Button type="submit" block busy={form.isBusy}>
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
      <WithPasskey action={action} />
      {known === null && (
        <WithGoogle divider={t("or")} onClick={(event) => handleGoogle(event.currentTarget.form)}>
          {t("withGoogle")}
        </WithGoogle>
      )}
      <LoginLinks known={known} isLanding={isLanding} />
    </Form>
  );
}

/** The built page knows no id, and fields may be filled in before hydration. */
function useKnownUserId(form: RefObject<HTMLFormElement | null>, known: string | undefined): void {
  useEffect(() => {
    if (known === undefined) return undefined;
    const { elements } = form.current!;
    const userId = elements.namedItem("user_id") as HTMLInputElement;
    userId.value = known;
    (elements.namedItem("password") as HTMLInputElement).focus();
    return () => {
      userId.value = "";
    };
  }, [known, form]);
}

interface LoginLinksProps {
  /** The account that was just created or reset. */
  known: LoginState | null;
  isLanding: boolean;
}

function LoginLinks({ known, isLanding }: LoginLinksProps) {
  const t = useTranslations("login");
  const base = useLanguagePath();
  return (
    <div className={wizardStyles.links}>
      <Link className={buttonStyles.linkButton} to={`${base}/reset-password`}>
        {t("forgot")}
      </Link>
      {known && (
        <Link className={buttonStyles.linkButton} to={`${base}/login`} replace>
          {t("otherId", { userId: known.userId })}
        </Link>
      )}
      {!known && !isLanding && (
        <Link className={buttonStyles.linkButton} to={`${base}/sign-up`}>
          {t("createAccount")}
        </Link>
      )}
      {!isLanding && (
        <Link className={buttonStyles.linkButton} to={`${base}/lost-email`}>
          {t("cannotReach")}
        </Link>
      )}
    </div>
  );
}
