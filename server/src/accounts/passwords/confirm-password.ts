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

/** Returns false for a wrong password, and for a member without one. */
export async function confirmPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
  ip: string,
): Promise<boolean> {
  return (await countingConfirmation(ctx, me, () => checkPassword(ctx, me, password, ip))) !== null;
}

/** Runs a check of the caller, which returns null for a wrong proof. Wrong ones count for this session only. */
export async function countingConfirmation<T>(
  ctx: AppContext,
  me: CurrentMember,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const wrong = await ctx.rateLimits.consumeAll([[WRONG_PASSWORDS, `session ${me.session}`]]);
  let isWrong = false;
  try {
    await ctx.rateLimits.consume(PASSWORD_CONFIRMATIONS, me.memberId);
    const found = await check();
    isWrong = found === null;
    return found;
  } finally {
    // An error reveals nothing about the proof.
    if (!isWrong) await wrong.refund();
  }
}

export async function checkPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
  ip: string,
): Promise<string | null> {
  const hash = await findPasswordHash(ctx.db, me.memberId);
  const origin = { account: foldUserId(me.userId), network: networkOf(ip), isKnown: true };
  return (await verifyPassword(ctx.secrets, hash, password, origin)) ? hash : null;
}
