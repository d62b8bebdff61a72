import { useSearchParams } from "react-router";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { useBase } from "../../lib/use-language-path.ts";
import { localAddress } from "../../lib/url.ts";

export default function Login() {
  const base = useBase();
  const [search] = useSearchParams();
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={localAddress(search.get("next")) ?? base} />
    </Shell>
  );
}
