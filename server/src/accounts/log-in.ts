import type { ParsedOf } from "@alcove/contract";
import type { logIn as logInCall, Tokens } from "@alcove/contract/accounts";
import { USER_ID } from "@alcove/contract/limits";
import type { Deps } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";
import { foldUserId } from "./members.ts";
import { findLogin, findMemberByNo } from "./members.sql.ts";
import { isPassword } from "./passwords.ts";
import { openSession } from "./sessions.ts";

/** Opens a session with user id and password. A wrong password and an unknown id are one refusal and one Argon2 run. */
export async function logIn(deps: Deps, form: ParsedOf<typeof logInCall>): Promise<Tokens> {
  const userId = USER_ID.pattern.test(form.user_id) ? foldUserId(form.user_id) : "";
  const login = await findLogin(deps.db, userId);
  const isRight = await isPassword(deps.secrets, login?.password_hash ?? null, form.password);
  const member = login && isRight ? await findMemberByNo(deps.db, login.member_no) : undefined;
  if (!member) throw refuse("wrong_credentials");
  return openSession(deps, { no: member.member_no, userId: member.user_id }, form.device);
}
