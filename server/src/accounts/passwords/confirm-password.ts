import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { findPasswordHash } from "../../members/members.sql.ts";
import { foldUserId } from "../../members/user-ids.ts";
import { verifyPassword } from "./passwords.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import { WRONG_PASSWORDS } from "../login/login-limits.ts";

const PASSWORD_CONFIRMATIONS = {
  name: "password_confirmations",
  max: 30,
  windowMs: 15 * MINUTE_MS,
};

/** Wrong passwords count for this session only. Returns false for members without a password. */
export async function confirmPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
  ip: string,
): Promise<boolean> {
  const account = foldUserId(me.userId);
  const hash = await findPasswordHash(ctx.db, me.memberId);
  const wrong = await ctx.rateLimits.consumeAll([[WRONG_PASSWORDS, `session ${me.session}`]]);
  let isWrong = false;
  try {
    await ctx.rateLimits.consume(PASSWORD_CONFIRMATIONS, me.memberId);
    const origin = { account, network: networkOf(ip), isKnown: true };
    isWrong = !(await verifyPassword(ctx.secrets, hash, password, origin));
    return !isWrong;
  } finally {
    // An error reveals nothing about the password.
    if (!isWrong) await wrong.refund();
  }
}
