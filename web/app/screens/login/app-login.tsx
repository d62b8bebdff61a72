import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { routes } from "@alcove/contract/routes";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { releasePage, startSession } from "../../lib/session/session.ts";
import { showError } from "../../lib/page/show-error.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { SigningIn } from "./signing-in.tsx";

/** Takes the code out of the URL, so that neither history nor a reload has it. No server gets the part after #. */
function takeCode(): string {
  const code = location.hash.slice(1);
  history.replaceState(history.state, "", location.pathname);
  return code;
}

/** The native app opens it to buy. The login ends with this tab, and replaces another one in it. */
export default function AppLogin() {
  const t = useTranslations("login");
  const base = useLanguagePath();
  const navigate = useNavigate();

  const finish = useEffectEvent(async () => {
    const next = `${base}/upgrade-account`;
    try {
      const tokens = await api(routes.logInWithCode, { code: takeCode() });
      releasePage();
      startSession(tokens, true, true);
      // The link may be an attacker's, with a code of their own account.
      const { user } = await api(routes.getOwnUser, {});
      banner.notifyText(t("loggedInAs", { userId: user.user_id }));
      await navigate(next, { replace: true });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) banner.alert("login.codeUsed");
      else showError(error);
      await navigate(`${base}/login?${new URLSearchParams({ next }).toString()}`, { replace: true });
    }
  });

  // A code opens one session, however often the screen renders.
  useEffect(() => void finish(), []);

  return <SigningIn />;
}
