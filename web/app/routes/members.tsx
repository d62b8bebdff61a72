import { useEffect } from "react";
import { Outlet } from "react-router";
import type { Route } from "./+types/members";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Shell } from "../features/shell/shell.tsx";
import { Refused } from "../lib/api.ts";
import { focusHeading } from "../lib/heading.ts";
import { useIsOthers } from "../lib/loaded-for.ts";
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
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} />
    </Shell>
  );
}

/** What was loaded for somebody else is not shown: everything is asked for anew. */
function Coming() {
  useEffect(() => focusHeading, []);
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
