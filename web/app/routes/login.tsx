import { useSearchParams } from "react-router";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Shell } from "../features/shell/shell.tsx";
import { useBase } from "../lib/base.ts";
import { localAddress } from "../lib/address.ts";

export default function Login() {
  const base = useBase();
  const [search] = useSearchParams();
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={localAddress(search.get("next")) ?? base} />
    </Shell>
  );
}
