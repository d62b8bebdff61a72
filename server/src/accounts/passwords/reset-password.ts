import type { ResponseOf, ParsedOf } from "@alcove/contract";
import type { requestResetCode, resetPassword as resetPasswordCall } from "@alcove/contract/passwords";
import { containsUserId } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import type { AppContext } from "../../platform/context.ts";
import { fieldMessage } from "../../platform/i18n.ts";
import { type FieldErrors, throwIfInvalid, validationError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { passesBotCheck } from "../sign-up/bot-check.ts";
import { type Client, spendCode, verifyCode } from "../codes/codes.ts";
import { tryRequestCodeEmail } from "../codes/request-code.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import { queuePasswordChangedEmail } from "../emails/emails.ts";
import { lockMember } from "../../members/locks.ts";
import {
  areLoginsStopped,
  findMemberById,
  findMemberIdByEmail,
  setPassword,
} from "../../members/members.sql.ts";
import { decryptUserId, foldUserId } from "../../members/user-ids.ts";
import { commonPasswordError } from "./common-passwords.ts";
import { hashPassword } from "./passwords.ts";
import { isKnownDevice, publishSessionsEnded } from "../login/sessions.ts";
import { endSessionsOf } from "../login/sessions.sql.ts";

export async function requestCode(
  ctx: AppContext,
  form: ParsedOf<typeof requestResetCode>,
  language: Language,
  client: Client,
): Promise<ResponseOf<typeof requestResetCode>> {
  const isHuman = await passesBotCheck(ctx, "ResetPassword", form.recaptchaToken, client.ip);
  if (!isHuman) return { error_message: fieldMessage(language, "bot_check_failed") };
  const { email, device } = form;
  const isKnown = device ? await isDeviceOf(ctx, email, device) : false;
  return tryRequestCodeEmail(ctx, "reset_password", { email, language, isKnownDevice: isKnown }, client);
}

/** Runs the same statements for an unknown address. */
async function isDeviceOf(ctx: AppContext, email: string, device: string): Promise<boolean> {
  const memberId = await findMemberIdByEmail(ctx.db, emailDigest(ctx.encryption, email));
  return isKnownDevice(ctx, memberId, device);
}

/**
 * Ends all sessions in the same transaction. A wrong code counts.
 *
 * Only a correct code reveals that the password contains the user id, because that reveals the account.
 */
export async function resetPassword(
  ctx: AppContext,
  form: ParsedOf<typeof resetPasswordCall>,
  client: Client,
): Promise<ResponseOf<typeof resetPasswordCall>> {
  throwIfInvalid(await validateReset(form));
  const { email, code, password } = form;
  const entry = { email, code, client };
  if (!(await verifyCode(ctx, "reset_password", entry))) return false;
  const memberId = await findMemberIdByEmail(ctx.db, emailDigest(ctx.encryption, email));
  const member = memberId === undefined ? undefined : await findMemberById(ctx.db, memberId);
  if (!member) return false;
  const userId = await decryptUserId(ctx.encryption, member.member_no, member.encrypted_user_id);
  if (containsUserId(password, userId)) throw validationError({ password: "password_contains_user_id" });

  const hash = await hashPassword(ctx.secrets, password, {
    account: foldUserId(userId),
    network: networkOf(client.ip),
    isKnown: true,
  });
  const ended = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, member.member_no))) return null;
    // The address may have changed since, or its link has stopped the account.
    const isOpen = (await findMemberIdByEmail(tx, emailDigest(ctx.encryption, email))) === member.member_no;
    if (!isOpen || (await areLoginsStopped(tx, member.member_no))) return null;
    if (!(await spendCode(tx, ctx, "reset_password", entry))) return null;
    await setPassword(tx, member.member_no, hash);
    await queuePasswordChangedEmail(tx, ctx, member.member_no);
    return endSessionsOf(tx, member.member_no, ctx.clock.now());
  });
  if (!ended) return false;
  ctx.log.info({ member: member.member_no }, "password reset");
  publishSessionsEnded(ctx, member.member_no, ended);
  return form.return_user_id ? { user_id: userId } : true;
}

export async function validateReset({
  password,
}: Partial<ParsedOf<typeof resetPasswordCall>>): Promise<FieldErrors> {
  return { password: await commonPasswordError(password) };
}
