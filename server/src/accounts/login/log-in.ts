import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { AppContext } from "../../platform/context.ts";
import type { Counted } from "../../platform/security/rate-limits.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { ApiError } from "../../platform/errors.ts";
import { foldUserId } from "../members.ts";
import { findLogin, findMemberById } from "../members.sql.ts";
import { isPassword } from "../passwords/passwords.ts";
import { knowsDevice, openSession } from "./sessions.ts";

/**
 * Opens a session with user id and password. A wrong password and an unknown id are one refusal and one Argon2 run, and
 * both count alike; too many are refused before the password is looked at.
 */
export async function logIn(
  ctx: AppContext,
  form: ParsedOf<typeof logInCall>,
  from: { ip: string; userAgent: string },
): Promise<Tokens> {
  const userId = USER_ID.pattern.test(form.user_id) ? foldUserId(form.user_id) : "";
  const login = await findLogin(ctx.db, userId);
  const counted = await countedTries(ctx, login?.member_no ?? NOBODY, form, from.ip);
  const member = await ctx.rateLimits.takeFailures(counted, async () => {
    const isRight = await isPassword(ctx.secrets, login?.password_hash ?? null, form.password);
    return (login && isRight && (await findMemberById(ctx.db, login.member_no))) || null;
  });
  if (!member) throw new ApiError("wrong_credentials");
  const owner = { memberId: member.member_no, userId: member.user_id };
  return openSession(ctx, owner, form.device, from.userAgent, async (tx) => {
    // The password may have been reset while this one was looked at.
    const current = await findLogin(tx, userId);
    if (current?.password_hash !== login?.password_hash) throw new ApiError("wrong_credentials");
  });
}

/**
 * A device that has logged in before counts for itself, so that a stranger's tries lock nobody out; everybody else
 * counts for the account and for the network.
 */
async function countedTries(
  ctx: AppContext,
  memberId: number,
  { user_id, device }: ParsedOf<typeof logInCall>,
  ip: string,
): Promise<Counted[]> {
  if (device && (await knowsDevice(ctx, memberId, device)))
    return [["wrong_passwords", `device ${memberId} ${device}`]];
  return [
    ["wrong_passwords", `account ${foldUserId(user_id)}`],
    ["wrong_passwords_of_network", networkOf(ip)],
  ];
}

const NOBODY = 0;
