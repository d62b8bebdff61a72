import type { AnswerOf, ParsedOf } from "@alcove/contract";
import type { requestResetCode, resetPassword as resetPasswordCall } from "@alcove/contract/passwords";
import { holdsUserId } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import type { Deps } from "../platform/deps.ts";
import { fieldSentence } from "../platform/language.ts";
import { refuseFields } from "../platform/refuse.ts";
import { passesBotCheck } from "./bot-check.ts";
import { spendCode, tryCode } from "./codes.ts";
import { emailDigest } from "./email.ts";
import { withinLetterLimits } from "./letter-limits.ts";
import { queueCodeLetter, queuePasswordLetter } from "./letters.ts";
import { foldUserId } from "./members.ts";
import { findMemberByNo, findNoByEmail, lockForPassword, setPassword } from "./members.sql.ts";
import { hashPassword } from "./passwords.ts";
import { tellEnded } from "./sessions.ts";
import { endSessionsOf } from "./sessions.sql.ts";

/**
 * First step: a letter on its way. Known and unknown addresses take the same statements and the same one job here, so
 * that neither the answer nor its time tells who is a member.
 */
export async function requestCode(
  deps: Deps,
  form: ParsedOf<typeof requestResetCode>,
  language: Language,
  ip: string,
): Promise<AnswerOf<typeof requestResetCode>> {
  const isHuman = await passesBotCheck(deps, "ResetPassword", form.recaptchaToken);
  if (!isHuman) return { error_message: fieldSentence(language, "bot_check_failed") };
  return withinLetterLimits(deps, { email: form.email, ip, language }, (tx) =>
    queueCodeLetter(tx, deps, "reset_password", { email: form.email, language }),
  );
}

/** Second step: whether the code is right. A wrong one counts; a right one stays good for the last step. */
export async function checkCode(deps: Deps, email: string, code: string): Promise<boolean> {
  return (await tryCode(deps, "reset_password", email, code)) !== null;
}

/**
 * Last step: sets the password and ends every session of the member; false for a wrong code, which counts.
 *
 * What is wrong with the form costs no code. That a password holds the user id is told only to who has the right code:
 * it tells whose address this is. Code, password, sessions and the letter about it go together or not at all.
 */
export async function resetPassword(deps: Deps, form: ParsedOf<typeof resetPasswordCall>): Promise<boolean> {
  const { email, code, password } = form;
  if (!(await tryCode(deps, "reset_password", email, code))) return false;
  const no = await findNoByEmail(deps.db, emailDigest(deps.sealing, email));
  const member = no === undefined ? undefined : await findMemberByNo(deps.db, no);
  if (!member) return false;
  if (holdsUserId(password, member.user_id)) throw refuseFields({ password: "password_contains_user_id" });

  const hash = await hashPassword(deps.secrets, password);
  const ended = await deps.db.transaction().execute(async (tx) => {
    if (!(await lockForPassword(tx, member.member_no))) return null;
    if (!(await spendCode(tx, deps, "reset_password", email, code))) return null;
    await setPassword(tx, foldUserId(member.user_id), hash);
    await queuePasswordLetter(tx, deps, member.member_no);
    return endSessionsOf(tx, member.member_no, deps.clock.now());
  });
  if (!ended) return false;
  tellEnded(deps, ended);
  return true;
}
