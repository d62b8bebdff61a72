import { useSearchParams } from "react-router";
import { loginBotToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { localUrl } from "../../lib/url.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";

export default function Login() {
  const base = useLanguagePath();
  const [search] = useSearchParams();
  return (
    <Shell pageClass="page-login">
      <LoginScreen
        next={localUrl(search.get("next")) ?? base}
        solveBotCheck={loginBotToken}
        botCheckNotice={<RecaptchaNotice />}
      />
    </Shell>
  );
}
