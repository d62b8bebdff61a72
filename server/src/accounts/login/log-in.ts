import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { AppContext } from "../../platform/context.ts";
import type { RateLimitKey } from "../../platform/security/rate-limits.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { ApiError } from "../../platform/errors.ts";
import { foldUserId } from "../members.ts";
import { findLogin, findMemberById } from "../members.sql.ts";
import { verifyPassword } from "../passwords/passwords.ts";
import { isKnownDevice, openSession } from "./sessions.ts";

/** A wrong password and an unknown user id take one Argon2 run each, count alike and return the same error. */
export async function logIn(
  ctx: AppContext,
  form: ParsedOf<typeof logInCall>,
  from: { ip: string; userAgent: string },
): Promise<Tokens> {
  const userId = USER_ID.pattern.test(form.user_id) ? foldUserId(form.user_id) : "";
  const login = await findLogin(ctx.db, userId);
  const keys = await attemptKeys(ctx, login?.member_no ?? NO_MEMBER, form, from.ip);
  const member = await ctx.rateLimits.countFailures(keys, async () => {
    const isRight = await verifyPassword(ctx.secrets, login?.password_hash ?? null, form.password);
    return (login && isRight && (await findMemberById(ctx.db, login.member_no))) || null;
  });
  if (!member) throw new ApiError("wrong_credentials", login ? { memberId: login.member_no } : {});
  const ref = { memberId: member.member_no, userId: member.user_id };
  return openSession(ctx, ref, form.device, from.userAgent, async (tx) => {
    // A reset may have changed the password since the check.
    const current = await findLogin(tx, userId);
    if (current?.password_hash !== login?.password_hash) throw new ApiError("wrong_credentials");
  });
}

/**
 * A known device has its own limit, so that attempts of other people cannot lock the member out. Other attempts count
 * for the account and the network.
 */
async function attemptKeys(
  ctx: AppContext,
  memberId: number,
  { user_id, device }: ParsedOf<typeof logInCall>,
  ip: string,
): Promise<RateLimitKey[]> {
  if (device && (await isKnownDevice(ctx, memberId, device)))
    return [["wrong_passwords", `device ${memberId} ${device}`]];
  return [
    ["wrong_passwords", `account ${foldUserId(user_id)}`],
    ["wrong_passwords_per_network", networkOf(ip)],
  ];
}

const NO_MEMBER = 0;
