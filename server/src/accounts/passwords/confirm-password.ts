import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { findLogin } from "../../members/members.sql.ts";
import { foldUserId, userIdDigest } from "../../members/user-ids.ts";
import { verifyPassword } from "./passwords.ts";

/** Wrong passwords count for this session only. Returns false for members without a password. */
export async function confirmPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
  ip: string,
): Promise<boolean> {
  const account = foldUserId(me.userId);
  const login = await findLogin(ctx.db, userIdDigest(ctx.encryption, account));
  const wrong = await ctx.rateLimits.consumeAll([["wrong_passwords", `session ${me.session}`]]);
  return wrong.refundUnlessFalse(async () => {
    await ctx.rateLimits.consume("password_confirmations", me.memberId);
    const origin = { account, network: networkOf(ip), isKnown: true };
    return verifyPassword(ctx.secrets, login?.password_hash ?? null, password, origin);
  });
}
