import { useEffect, useState } from "react";
import { Outlet, useLoaderData, useNavigation, useRouteError } from "react-router";
import { RecaptchaNotice } from "../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { RouteError } from "./shell/route-error.tsx";
import { Shell } from "./shell/shell.tsx";
import { banner } from "../lib/page/banner.ts";
import { ApiError } from "../lib/api/errors.ts";
import { useLanguagePath } from "../lib/texts/use-language-path.ts";
import { focusHeading } from "../lib/page/focus-heading.ts";
import { wasSessionEndedHere } from "../lib/session/end-session.ts";
import { lastDeletion } from "../lib/session/last-deletion.ts";
import { useHasLoginChanged } from "../lib/session/session-owner.ts";
import { currentLoginId, useIsLoggedIn, useLoginId } from "../lib/session/session.ts";
import { LoadingStatus } from "../ui/loading.tsx";

export function loader() {
  return { loadedFor: currentLoginId() };
}

/** Shows the login in place of a members' screen. The URL stays. */
export function Component() {
  const { loadedFor } = useLoaderData<typeof loader>();
  const loginId = useLoginId();
  const hasLoginChanged = useHasLoginChanged(loadedFor);
  if (loginId === null) return <LoginInPlace />;
  return hasLoginChanged ? <Loading /> : <Outlet key={loginId} />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isLoggedIn = useIsLoggedIn();
  const loginId = useLoginId();
  // A fetcher's login loads the data, but only a revalidation resets React Router's boundary.
  const [failedFor] = useState(loginId);
  useHasLoginChanged(failedFor);
  const hasEnded = error instanceof ApiError && error.status === 401;
  if (hasEnded || !isLoggedIn) return <LoginInPlace />;
  return <RouteError error={error} />;
}

function LoginInPlace() {
  const loginPath = `${useLanguagePath()}/login`;
  useEffect(() => {
    if (!wasSessionEndedHere() && lastDeletion.token() === null) banner.askToLogIn();
  }, []);
  // While the login page loads, a login in place would be replaced together with its input.
  const isLeaving = useNavigation().location?.pathname === loginPath;
  if (isLeaving || lastDeletion.token() !== null) return <Loading />;
  return (
    <Shell layout="login">
      <LoginScreen view="login" action={loginPath} next={null} botCheckNotice={<RecaptchaNotice />} />
    </Shell>
  );
}

function Loading() {
  useEffect(() => focusHeading, []);
  return (
    <Shell width="form">
      <LoadingStatus />
    </Shell>
  );
}
