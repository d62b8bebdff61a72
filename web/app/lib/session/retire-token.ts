import { ApiError } from "../api/errors.ts";
import { refreshSession } from "./refresh-session.ts";
import { currentSession } from "./session.ts";

/**
 * Returns a token that can only end the session, because its tokens were renewed.
 *
 * @throws ApiError, OfflineError
 */
export async function retireToken(): Promise<string> {
  const session = currentSession();
  if (!session) throw new ApiError(401, { code: "login_required" });
  // The tokens of a login for purchases cannot be renewed at all.
  if (!session.isForPurchases) await refreshSession(session);
  return session.refresh;
}
