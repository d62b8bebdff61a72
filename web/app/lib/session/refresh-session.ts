import { refreshTokens } from "@alcove/contract/accounts";
import { exclusively } from "../../device/exclusively.ts";
import { banner } from "../page/banner.ts";
import { ApiError } from "../api/errors.ts";
import { sendCall } from "../api/send-call.ts";
import { shareSession, takeFromDuplicates } from "./duplicated-tabs.ts";
import { logOutOnServer } from "./end-session.ts";
import {
  clearSession,
  currentLoginId,
  currentSession,
  renewalId,
  storeSession,
  type Session,
} from "./session.ts";

/** A busy browser may show another tab's storage only after granting the lock. */
const STORAGE_SYNC_MS = 50;

/** A lock over all tabs prevents that a refresh token is used twice. */
export async function refreshSession(stale: Session): Promise<Session> {
  return exclusively("session", async () => {
    await Promise.all([new Promise((done) => setTimeout(done, STORAGE_SYNC_MS)), takeFromDuplicates(stale)]);
    const current = currentSession();
    if (current?.loginId !== stale.loginId) throw new ApiError(401, { code: "login_required" });
    if (current.access !== stale.access) return current; // another tab has renewed it
    const tokens = await requestTokens(current);
    // Another tab's tokens may appear only now. They are the same, because the renewal id is.
    const isCurrent = [current.refresh, tokens.refresh].includes(currentSession()?.refresh ?? "");
    if (!isCurrent) {
      void logOutOnServer(tokens.refresh); // the member logged out meanwhile
      throw new ApiError(401, { code: "login_required" });
    }
    const renewed = { ...current, ...tokens, renewals: current.renewals + 1 };
    storeSession(renewed);
    shareSession(renewed);
    return renewed;
  });
}

async function requestTokens({ refresh, loginId }: Session) {
  try {
    return await sendCall(refreshTokens, { refresh, clientId: renewalId() }, null);
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (hasEnded && currentLoginId() === loginId) {
      clearSession();
      banner.askToLogIn();
    }
    throw error;
  }
}
