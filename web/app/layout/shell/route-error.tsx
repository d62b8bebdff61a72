import { isRouteErrorResponse } from "react-router";
import { ApiError, OfflineError } from "../../lib/api/errors.ts";
import { isForPurchases, useIsLoggedIn } from "../../lib/session/session.ts";
import { ErrorScreen, NotFoundScreen } from "./error-screen.tsx";
import { OfflineScreen } from "./offline-screen.tsx";

/** Enough to find the request in the log. */
const REFERENCE_LENGTH = 8;

/** Replaces a screen that could not be loaded. */
export function RouteError({ error }: { error: unknown }) {
  const isLoggedIn = useIsLoggedIn();
  if (isRouteErrorResponse(error)) {
    return error.status === 404 ? (
      <NotFoundScreen />
    ) : (
      <ErrorScreen details={[error.status, error.statusText]} />
    );
  }
  if (error instanceof ApiError) {
    const { status, message, requestId } = error;
    if (status === 429) return <ErrorScreen title={message} details={[]} />;
    return (
      <ErrorScreen details={[status, message, status >= 500 && requestId?.slice(0, REFERENCE_LENGTH)]} />
    );
  }
  if (error instanceof OfflineError)
    return isLoggedIn && !isForPurchases() ? <OfflineScreen /> : <ErrorScreen details={[]} isOffline />;
  // The text of a bug does not help a member.
  return <ErrorScreen details={[]} />;
}
