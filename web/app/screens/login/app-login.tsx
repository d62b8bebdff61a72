import { useEffect, useState } from "react";
import { Link, type LoaderFunctionArgs, replace, useLoaderData, useNavigate } from "react-router";
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
import { languageOfSegment } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";

type Login = ResponseOf<typeof logInWithCode>;

/** Takes the code out of the URL, so that neither history nor a reload has it. No server gets the part after #. */
function takeCode(): string {
  const code = location.hash.slice(1);
  history.replaceState(history.state, "", location.pathname);
  return code;
}

const isLoggedInHere = (): boolean => sessionStore().get("session") !== null;

export async function loader({ params }: LoaderFunctionArgs) {
  const code = takeCode();
  if (isLoggedInHere()) return null;
  try {
    return await api(logInWithCode, { code });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) banner.alert("login.codeUsed");
    else showError(error);
    throw replace(loginPageOf(`/${languageOfSegment(params.lang)}`));
  }
}

/** A code opens one session. */
export const shouldRevalidate = () => false;

const purchasesOf = (base: string): string => `${base}/upgrade-account`;

const loginPageOf = (base: string): string =>
  `${base}/login?${new URLSearchParams({ next: purchasesOf(base) }).toString()}`;

/**
 * The native app opens it to buy. The link may be an attacker's, with a code of their own account: so the page asks
 * first, and never replaces another login. The login ends with this tab.
 */
export default function AppLogin() {
  const login = useLoaderData<typeof loader>();
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [isRefused, setRefused] = useState(login === null);
  const purchases = purchasesOf(base);

  if (login === null || isRefused) return <OtherLogin purchases={purchases} />;

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
    await Promise.all([logOutOnServer(tokens.refresh), navigate(loginPageOf(base), { replace: true })]);
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
