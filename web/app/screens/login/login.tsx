import { type ActionFunctionArgs, type LoaderFunctionArgs, replace, useSearchParams } from "react-router";
import { loginBotToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { submitLogin } from "../../features/login/submit-login.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { actionResult } from "../../lib/forms/form-result.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { currentSession } from "../../lib/session/session.ts";
import { localUrl } from "../../lib/page/url.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";

/** Runs again after the login, and then leaves. A member who opens the login leaves at once. */
export function loader({ request, params }: LoaderFunctionArgs) {
  if (import.meta.env.SSR || !currentSession()) return null;
  const next = localUrl(new URL(request.url).searchParams.get("next"));
  throw replace(next ?? `/${languageOfSegment(params.lang)}`);
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitLogin(await request.formData(), loginBotToken));
}

export default function Login() {
  const base = useLanguagePath();
  const [search] = useSearchParams();
  return (
    <Shell layout="login">
      <LoginScreen
        view="login"
        action={`${base}/login`}
        next={localUrl(search.get("next")) ?? base}
        botCheckNotice={<RecaptchaNotice />}
      />
    </Shell>
  );
}
