import type { Deps, Me } from "../platform/context.ts";
import { foldUserId } from "./members.ts";
import { findLogin } from "./members.sql.ts";
import { isPassword } from "./passwords.ts";

/**
 * Whether this is the member's password: what our screens ask before something that cannot be undone. It opens and
 * ends nothing. Wrong ones count for the session that asks, so that they keep nobody else out. Of a member without a password no password is right.
 */
export async function confirmPassword(deps: Deps, me: Me, password: string): Promise<boolean> {
  const login = await findLogin(deps.db, foldUserId(me.userId));
  const isRight = await deps.limits.takeFailures([["wrong_passwords", `session ${me.session}`]], async () =>
    (await isPassword(deps.secrets, login?.password_hash ?? null, password)) ? true : null,
  );
  return isRight ?? false;
}
