import type { Deps, Me } from "../platform/deps.ts";
import { foldUserId } from "./members.ts";
import { findLogin } from "./members.sql.ts";
import { isPassword } from "./passwords.ts";

/**
 * Whether this is the member's password: what our screens ask before something that cannot be undone. It opens and
 * ends nothing. Of a member without a password no password is right.
 */
export async function confirmPassword(deps: Deps, me: Me, password: string): Promise<boolean> {
  const login = await findLogin(deps.db, foldUserId(me.userId));
  return isPassword(deps.secrets, login?.password_hash ?? null, password);
}
