import type { Call, InputOf, ResponseOf } from "@alcove/contract/call";
import { banner } from "../page/banner.ts";
import { ApiError } from "./errors.ts";
import { withKey } from "./repeat-keys.ts";
import { sendCall, type SendCallOptions } from "./send-call.ts";
import { consent } from "../session/consent.ts";
import { lock } from "../session/lock.ts";
import { refreshSession } from "../session/refresh-session.ts";
import { clearSession, currentSession } from "../session/session.ts";

/**
 * Makes a call, as the member if one is logged in. A locked app sends no member's call.
 *
 * @throws ApiError, OfflineError
 */
export async function api<C extends Call>(
  call: C,
  input: InputOf<C>,
  options: SendCallOptions = {},
): Promise<ResponseOf<C>> {
  return withKey(call, input, (key) => sendAsMember(call, input, { ...options, key }));
}

async function sendAsMember<C extends Call>(
  call: C,
  input: InputOf<C>,
  options: SendCallOptions,
): Promise<ResponseOf<C>> {
  const session = lock.getState().isLocked ? null : currentSession();
  if (!session && call.access === "member") throw new ApiError(401, { code: "login_required" });
  if (session && !consent.allows(call)) throw new ApiError(403, { code: "consent_required" });
  try {
    return await sendCall(call, input, session?.access ?? null, options);
  } catch (error) {
    if (!session || call.access !== "member" || !(error instanceof ApiError) || error.status !== 401)
      throw error;
    // The case page of a suspended member stays open.
    if (error.code === "account_suspended" && session.scope === "case") throw error;
    if (error.code !== "token_expired") {
      if (currentSession()?.refresh === session.refresh) {
        clearSession();
        banner.askToLogIn();
      }
      throw error;
    }
  }
  const { access } = await refreshSession(session);
  return sendCall(call, input, access, options);
}
