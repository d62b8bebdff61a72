import type { ParsedOf } from "@alcove/contract";
import { containsUserId } from "@alcove/contract/fields";
import type { changePassword as changePasswordCall } from "@alcove/contract/passwords";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { type FieldErrors, throwIfInvalid } from "../../platform/errors.ts";
import { commonPasswordError } from "./common-passwords.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { confirmPassword } from "./confirm-password.ts";
import { queuePasswordChangedEmail } from "../emails/emails.ts";
import { lockMember } from "../../members/locks.ts";
import { findPasswordHash, setPassword } from "../../members/members.sql.ts";
import { foldUserId } from "../../members/user-ids.ts";
import { hashPassword } from "./passwords.ts";
import { publishSessionsEnded } from "../login/sessions.ts";
import { endOtherSessionsOf } from "../login/sessions.sql.ts";

/** Ends all other sessions. Returns false if the current password is wrong or missing. */
export async function changePassword(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof changePasswordCall>,
  ip: string,
): Promise<boolean> {
  throwIfInvalid(await validateNewPassword(me, form));

  const current = await findPasswordHash(ctx.db, me.memberId);
  if (!(await confirmPassword(ctx, me, form.password, ip))) return false;
  const hash = await hashPassword(ctx.secrets, form.newPassword, {
    account: foldUserId(me.userId),
    network: networkOf(ip),
    isKnown: true,
  });
  const ended = await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    // Of two parallel changes, the second finds another current hash.
    if (!(await setPassword(tx, me.memberId, hash, current))) return null;
    await queuePasswordChangedEmail(tx, ctx, me.memberId);
    return endOtherSessionsOf(tx, me, ctx.clock.now());
  });
  if (!ended) return false;
  ctx.log.info({ member: me.memberId }, "password changed");
  publishSessionsEnded(ctx, me.memberId, ended);
  return true;
}

export async function validateNewPassword(
  me: CurrentMember,
  { newPassword }: Partial<ParsedOf<typeof changePasswordCall>>,
): Promise<FieldErrors> {
  const isNamed = newPassword !== undefined && containsUserId(newPassword, me.userId);
  const errors = [
    isNamed ? "password_contains_user_id" : null,
    await commonPasswordError(newPassword),
  ] as const;
  return { new_password: errors.filter((error) => error !== null) };
}
