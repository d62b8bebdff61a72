import { useEffect, useEffectEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { logInSocially } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import { takeGoogleResult } from "../../lib/sign-in/google.ts";
import { completeLogin } from "../../lib/session/complete-login.ts";
import { deviceToken } from "../../lib/session/session.ts";
import { showError } from "../../lib/page/show-error.ts";
import { localUrl } from "../../lib/page/url.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { SigningIn } from "./signing-in.tsx";

/** Asks for the second factor. */
async function withPasskey(input: InputOf<typeof logInSocially>, error: unknown) {
  const { secondFactorFor } = await import("../../features/login/log-in-with-passkey.ts");
  const response = offersPasskeys() ? await secondFactorFor(error) : null;
  if (!response) throw error;
  return api(logInSocially, { ...input, response });
}

/** Google's redirect after a login. */
export default function OauthCallback() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [search] = useSearchParams();

  const finish = useEffectEvent(async () => {
    const googleResult = takeGoogleResult("login");
    const next = localUrl(googleResult?.intent?.next ?? null) ?? localUrl(search.get("next")) ?? base;
    try {
      if (googleResult?.token) {
        const token = { provider: "google", accessToken: googleResult.token } as const;
        const isShared = googleResult.intent?.isShared ?? false;
        const input = { ...token, device: deviceToken(isShared) };
        const tokens = await api(logInSocially, input).catch((error: unknown) => withPasskey(input, error));
        await completeLogin(tokens, { isShared });
        await navigate(next, { replace: true });
        return;
      }
      banner.alert("login.failed");
    } catch (error) {
      showError(error);
    }
    const query = next === base ? "" : `?${new URLSearchParams({ next }).toString()}`;
    await navigate(`${base}/login${query}`, { replace: true });
  });

  // Google's response can be read only once, however often the screen renders.
  useEffect(() => void finish(), []);

  return <SigningIn />;
}
