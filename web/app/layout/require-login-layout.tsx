import { useEffect } from "react";
import { Outlet, useNavigation } from "react-router";
import type { Route } from "./+types/require-login-layout";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { Refused } from "../lib/api.ts";
import { useBase } from "../lib/use-language-path.ts";
import { focusHeading } from "../lib/focus-heading.ts";
import { useIsOthers } from "../lib/session-owner.ts";
import { currentLogin, useIsLoggedIn, useLogin } from "../lib/session.ts";
import { LoadingStatus } from "../ui/waiting.tsx";

/** For whom the screens below were loaded. */
export function clientLoader() {
  return { loadedFor: currentLogin() };
}

/** Screens for members. Who is not logged in sees the login in place; the address stays (specification, section 2). */
export default function Members({ loaderData: { loadedFor } }: Route.ComponentProps) {
  const login = useLogin();
  const isOthers = useIsOthers(loadedFor);
  if (login === null) return <LoginInPlace />;
  return isOthers ? <Coming /> : <Outlet key={login} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isLoggedIn = useIsLoggedIn();
  const isOver = error instanceof Refused && error.status === 401;
  if (isOver || !isLoggedIn) return <LoginInPlace />;
  throw error;
}

function LoginInPlace() {
  const login = `${useBase()}/login`;
  // On the way there no login is shown that is about to be replaced, and what was typed into it.
  if (useNavigation().location?.pathname === login) return <Coming />;
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} />
    </Shell>
  );
}

/** Stands in for what is not there yet, or was loaded for somebody else. */
function Coming() {
  useEffect(() => focusHeading, []);
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
