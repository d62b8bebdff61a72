import type { ParsedOf } from "@alcove/contract";
import type { Tokens } from "@alcove/contract/accounts";
import type { logInWithPasskey as logInWithPasskeyCall } from "@alcove/contract/passkeys";
import type { Language } from "@alcove/i18n";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { openSession } from "../login/sessions.ts";
import { findUsedPasskey, siteOf, useOptions, verifyPasskey } from "./stored-passkeys.ts";
import type { Structure } from "./webauthn.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const PASSKEY_LOGINS = { name: "passkey_logins", max: 30, windowMs: WINDOW_MS };
const UNKNOWN_PASSKEYS_PER_NETWORK = {
  name: "unknown_passkeys_per_network",
  max: 60,
  windowMs: WINDOW_MS,
};

export const startPasskeyLogin = (ctx: AppContext, origin: string): Promise<Structure> =>
  useOptions(ctx, siteOf(ctx, origin), null);

/** Strangers use up no member's attempts. */
export async function logInWithPasskey(
  ctx: AppContext,
  { response, device }: ParsedOf<typeof logInWithPasskeyCall>,
  from: { ip: string; userAgent: string; lang: Language; origin: string },
): Promise<Tokens> {
  const row = await findUsedPasskey(ctx, response);
  if (!row) {
    await ctx.rateLimits.consume(UNKNOWN_PASSKEYS_PER_NETWORK, networkOf(from.ip));
    throw new ApiError("wrong_passkey");
  }
  const { member_no: memberId } = row;
  await ctx.rateLimits.consume(PASSKEY_LOGINS, memberId);
  const used = await verifyPasskey(ctx, siteOf(ctx, from.origin), response, row);
  if (!used) throw new ApiError("wrong_passkey", { memberId });
  return openSession(ctx, memberId, {
    device: device ?? null,
    userAgent: from.userAgent,
    language: from.lang,
    hasSecondFactor: true,
    opensStopped: true,
    async recheck(tx) {
      if (!(await used.spend(tx))) throw new ApiError("wrong_passkey", { memberId });
    },
  });
}
