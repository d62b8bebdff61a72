import { useEffect } from "react";
import { Outlet, useNavigation } from "react-router";
import type { Route } from "./+types/require-login-layout";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { ApiError } from "../lib/errors.ts";
import { useLanguagePath } from "../lib/use-language-path.ts";
import { focusHeading } from "../lib/focus-heading.ts";
import { useHasLoginChanged } from "../lib/session/session-owner.ts";
import { currentLoginId, useIsLoggedIn, useLoginId } from "../lib/session/session.ts";
import { LoadingStatus } from "../ui/loading.tsx";

/** For whom the screens below were loaded. */
export function clientLoader() {
  return { loadedFor: currentLoginId() };
}

/** Screens for members. Who is not logged in sees the login in place; the address stays (specification, section 2). */
export default function RequireLoginLayout({ loaderData: { loadedFor } }: Route.ComponentProps) {
  const login = useLoginId();
  const isOthers = useHasLoginChanged(loadedFor);
  if (login === null) return <LoginInPlace />;
  return isOthers ? <Loading /> : <Outlet key={login} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isLoggedIn = useIsLoggedIn();
  const isOver = error instanceof ApiError && error.status === 401;
  if (isOver || !isLoggedIn) return <LoginInPlace />;
  throw error;
}

function LoginInPlace() {
  const login = `${useLanguagePath()}/login`;
  // On the way there no login is shown that is about to be replaced, and what was typed into it.
  if (useNavigation().location?.pathname === login) return <Loading />;
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} />
    </Shell>
  );
}

/** Stands in for what is not there yet, or was loaded for somebody else. */
function Loading() {
  useEffect(() => focusHeading, []);
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
