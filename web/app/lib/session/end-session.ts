import { ApiError, OfflineError } from "../api/errors.ts";
import { forgetInviter } from "../sign-in/inviter.ts";
import { logOut } from "@alcove/contract/accounts";
import { sendCall } from "../api/send-call.ts";
import { bothStores, parseStored, type Store } from "../../device/stored.ts";
import { clearSession, currentSession, sessionStore, type LogoutReason } from "./session.ts";

let hasEndedHere = false;

/** Whether the member or the app has ended a session on this page, rather than the server or another tab. */
export function wasSessionEndedHere(): boolean {
  return hasEndedHere;
}

/** Ends the session on this device at once, and on the server as soon as it can be reached. */
export async function endSession(reason: LogoutReason | null = null): Promise<void> {
  const session = currentSession();
  if (!session) return;
  const store = sessionStore();
  hasEndedHere = true;
  clearSession(reason);
  forgetInviter();
  await logOutOnServer(session.refresh, store);
}

export async function sendPendingLogouts(): Promise<void> {
  for (const store of bothStores)
    for (const refresh of pendingLogouts(store)) await logOutOnServer(refresh, store);
}

/** The logout stays pending until the server has received it. */
export async function logOutOnServer(refresh: string, store = sessionStore()): Promise<void> {
  const others = () => pendingLogouts(store).filter((other) => other !== refresh);
  store.set("farewells", JSON.stringify([...others(), refresh]));
  if (!(await sendLogout(refresh))) return;
  const remaining = others();
  if (remaining.length > 0) store.set("farewells", JSON.stringify(remaining));
  else store.remove("farewells");
}

/** Takes any token that a session has had. Returns whether the server has received it. */
export async function sendLogout(refresh: string): Promise<boolean> {
  try {
    await sendCall(logOut, { token: refresh }, null);
    return true;
  } catch (error) {
    if (error instanceof OfflineError) return false;
    if (error instanceof ApiError) return error.status < 429;
    throw error;
  }
}

function pendingLogouts(store: Store): string[] {
  return parseStored<string[]>(store.get("farewells")) ?? [];
}
