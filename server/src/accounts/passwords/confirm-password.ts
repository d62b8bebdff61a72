import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { foldUserId } from "../members.ts";
import { findLogin } from "../members.sql.ts";
import { verifyPassword } from "./passwords.ts";

/**
 * Whether this is the member's password: what our screens ask before something that cannot be undone. It opens and
 * ends nothing. Wrong ones count for the session that asks, so that they keep nobody else out. Of a member without a password no password is right.
 */
export async function confirmPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
): Promise<boolean> {
  const login = await findLogin(ctx.db, foldUserId(me.userId));
  const isRight = await ctx.rateLimits.takeFailures(
    [["wrong_passwords", `session ${me.session}`]],
    async () => ((await verifyPassword(ctx.secrets, login?.password_hash ?? null, password)) ? true : null),
  );
  return isRight ?? false;
}
