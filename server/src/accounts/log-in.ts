import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { Deps } from "../platform/context.ts";
import type { Counted } from "../platform/security/rate-limits.ts";
import { networkOf } from "../platform/security/client-network.ts";
import { refuse } from "../platform/errors.ts";
import { foldUserId } from "./members.ts";
import { findLogin, findMemberByNo } from "./members.sql.ts";
import { isPassword } from "./passwords.ts";
import { knowsDevice, openSession } from "./sessions.ts";

/**
 * Opens a session with user id and password. A wrong password and an unknown id are one refusal and one Argon2 run, and
 * both count alike; too many are refused before the password is looked at.
 */
export async function logIn(
  deps: Deps,
  form: ParsedOf<typeof logInCall>,
  from: { ip: string; userAgent: string },
): Promise<Tokens> {
  const userId = USER_ID.pattern.test(form.user_id) ? foldUserId(form.user_id) : "";
  const login = await findLogin(deps.db, userId);
  const counted = await countedTries(deps, login?.member_no ?? NOBODY, form, from.ip);
  const member = await deps.limits.takeFailures(counted, async () => {
    const isRight = await isPassword(deps.secrets, login?.password_hash ?? null, form.password);
    return (login && isRight && (await findMemberByNo(deps.db, login.member_no))) || null;
  });
  if (!member) throw refuse("wrong_credentials");
  const owner = { no: member.member_no, userId: member.user_id };
  return openSession(deps, owner, form.device, from.userAgent, async (tx) => {
    // The password may have been reset while this one was looked at.
    const current = await findLogin(tx, userId);
    if (current?.password_hash !== login?.password_hash) throw refuse("wrong_credentials");
  });
}

/**
 * A device that has logged in before counts for itself, so that a stranger's tries lock nobody out; everybody else
 * counts for the account and for the network.
 */
async function countedTries(
  deps: Deps,
  no: number,
  { user_id, device }: ParsedOf<typeof logInCall>,
  ip: string,
): Promise<Counted[]> {
  if (device && (await knowsDevice(deps, no, device))) return [["wrong_passwords", `device ${no} ${device}`]];
  return [
    ["wrong_passwords", `account ${foldUserId(user_id)}`],
    ["wrong_passwords_of_network", networkOf(ip)],
  ];
}

const NOBODY = 0;
