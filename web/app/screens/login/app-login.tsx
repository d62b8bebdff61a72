import { useEffect, useEffectEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { logInWithCode } from "@alcove/contract/accounts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { banner } from "../../lib/page/banner.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { showError } from "../../lib/page/show-error.ts";
import { logOutOnServer } from "../../lib/session/end-session.ts";
import { releasePage, sessionStore, startSession } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { SigningIn } from "./signing-in.tsx";

type Login = ResponseOf<typeof logInWithCode>;

/** Takes the code out of the URL, so that neither history nor a reload has it. No server gets the part after #. */
function takeCode(): string {
  const code = location.hash.slice(1);
  history.replaceState(history.state, "", location.pathname);
  return code;
}

const isLoggedInHere = (): boolean => sessionStore().get("session") !== null;

/**
 * The native app opens it to buy. The link may be an attacker's, with a code of their own account: so the page asks
 * first, and never replaces another login. The login ends with this tab.
 */
export default function AppLogin() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [login, setLogin] = useState<Login | null>(null);
  const [isRefused, setRefused] = useState(false);
  const purchases = `${base}/upgrade-account`;
  const loginPage = `${base}/login?${new URLSearchParams({ next: purchases }).toString()}`;

  const open = useEffectEvent(async () => {
    const code = takeCode();
    if (isLoggedInHere()) return setRefused(true);
    try {
      setLogin(await api(logInWithCode, { code }));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) banner.alert("login.codeUsed");
      else showError(error);
      await navigate(loginPage, { replace: true });
    }
  });

  // A code opens one session, however often the screen renders.
  useEffect(() => void open(), []);

  if (isRefused) return <OtherLogin purchases={purchases} />;
  if (!login) return <SigningIn />;

  async function start(tokens: Login) {
    if (isLoggedInHere()) {
      setRefused(true);
      return logOutOnServer(tokens.refresh);
    }
    releasePage();
    startSession(tokens, true, true);
    await navigate(purchases, { replace: true });
  }

  async function decline(tokens: Login) {
    await Promise.all([logOutOnServer(tokens.refresh), navigate(loginPage, { replace: true })]);
  }

  return (
    <ContinueAs
      userId={login.user_id}
      onContinue={() => void start(login)}
      onDecline={() => void decline(login)}
    />
  );
}

interface ContinueAsProps {
  userId: string;
  onContinue: () => void;
  onDecline: () => void;
}

function ContinueAs({ userId, onContinue, onDecline }: ContinueAsProps) {
  const t = useTranslations("login");
  useEffect(focusHeading, []);
  return (
    <Shell width="form">
      <div className="stack">
        <h1>{t("continueAs", { userId })}</h1>
        <p className="muted">{t("continueAsHint")}</p>
        <Button block onClick={onContinue}>
          {t("continue")}
        </Button>
        <Button block kind="ghost" onClick={onDecline}>
          {t("notMyAccount")}
        </Button>
      </div>
    </Shell>
  );
}

function OtherLogin({ purchases }: { purchases: string }) {
  const t = useTranslations("login");
  useEffect(focusHeading, []);
  return (
    <Shell width="form">
      <div className="stack">
        <h1>{t("otherLogin")}</h1>
        <p className="muted">{t("otherLoginHint")}</p>
        <Link className={buttonClass({ block: true })} to={purchases} replace>
          {t("keepLogin")}
        </Link>
      </div>
    </Shell>
  );
}
