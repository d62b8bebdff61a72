import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { foldUserId } from "../members.ts";
import { findLogin } from "../members.sql.ts";
import { verifyPassword } from "./passwords.ts";

/**
 * Checks the password before an irreversible action. Wrong passwords count for this session only. Returns false for
 * members without a password.
 */
export async function confirmPassword(
  ctx: AppContext,
  me: CurrentMember,
  password: string,
): Promise<boolean> {
  const login = await findLogin(ctx.db, foldUserId(me.userId));
  const isRight = await ctx.rateLimits.countFailures(
    [["wrong_passwords", `session ${me.session}`]],
    async () => ((await verifyPassword(ctx.secrets, login?.password_hash ?? null, password)) ? true : null),
  );
  return isRight ?? false;
}
