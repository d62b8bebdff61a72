import { api, Offline, Refused } from "./api.ts";
import { banner } from "./banner.ts";
import { tellFailure } from "./show-error.ts";
import type { requestResetCode } from "@alcove/contract/passwords";
import type { requestSignUpCode } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";

type FirstStep = typeof requestSignUpCode | typeof requestResetCode;

/**
 * Asks for a letter with a code, by the first step of signing up or of resetting a password. Answers null when it is on
 * its way, or what is wrong in words; the banner has told either of a failure already.
 */
export async function askForLetter<C extends FirstStep>(
  call: C,
  input: InputOf<C>,
  botToken: () => Promise<string>,
): Promise<string | null> {
  try {
    const { error_message } = await api<FirstStep>(call, { ...input, recaptchaToken: await botToken() });
    if (error_message === undefined) return null;
    banner.alertText(error_message);
    return error_message;
  } catch (error) {
    if (error instanceof Refused || error instanceof Offline) tellFailure(error);
    else banner.alert("fields.bot_check_failed");
    return "";
  }
}
