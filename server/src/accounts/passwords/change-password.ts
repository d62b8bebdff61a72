import type { ParsedOf } from "@alcove/contract";
import { containsUserId } from "@alcove/contract/fields";
import type { changePassword as changePasswordCall } from "@alcove/contract/passwords";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { type FieldErrors, throwIfInvalid } from "../../platform/errors.ts";
import { confirmPassword } from "./confirm-password.ts";
import { queuePasswordChangedEmail } from "../emails/emails.ts";
import { foldUserId } from "../members.ts";
import { lockMember } from "../locks.ts";
import { findLogin, setPassword } from "../members.sql.ts";
import { hashPassword } from "./passwords.ts";
import { publishSessionsEnded } from "../login/sessions.ts";
import { endOtherSessionsOf } from "../login/sessions.sql.ts";

/**
 * Changes the member's password and ends all its sessions but this one. False when the current password is wrong, and
 * for a member that has none.
 */
export async function changePassword(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof changePasswordCall>,
): Promise<boolean> {
  throwIfInvalid(validateNewPassword(me, form));

  const userId = foldUserId(me.userId);
  const current = (await findLogin(ctx.db, userId))?.password_hash ?? null;
  if (!(await confirmPassword(ctx, me, form.password))) return false;
  const hash = await hashPassword(ctx.secrets, form.newPassword);
  const ended = await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    // Of two changes at the same moment the later one finds that its current password is no longer that.
    if (!(await setPassword(tx, userId, hash, current))) return null;
    await queuePasswordChangedEmail(tx, ctx, me.memberId);
    return endOtherSessionsOf(tx, me.memberId, me.session, ctx.clock.now());
  });
  if (!ended) return false;
  publishSessionsEnded(ctx, ended);
  return true;
}

/** What the form cannot tell by itself: whose password it will be. */
export function validateNewPassword(
  me: CurrentMember,
  { newPassword }: Partial<ParsedOf<typeof changePasswordCall>>,
): FieldErrors {
  const isNamed = newPassword !== undefined && containsUserId(newPassword, me.userId);
  return { new_password: isNamed ? "password_contains_user_id" : null };
}
