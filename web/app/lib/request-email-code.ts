import type { requestSignUpCode } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import type { requestResetCode } from "@alcove/contract/passwords";
import { api } from "./api.ts";
import { banner } from "./banner.ts";
import { showError } from "./show-error.ts";

type CodeRequest = typeof requestSignUpCode | typeof requestResetCode;

/** Returns null when the email is sent, or else the field's error, which a banner shows too. */
export async function requestEmailCode<C extends CodeRequest>(
  call: C,
  input: InputOf<C>,
  botToken: () => Promise<string>,
): Promise<string | null> {
  try {
    const { error_message } = await api<CodeRequest>(call, { ...input, recaptchaToken: await botToken() });
    if (error_message === undefined) return null;
    banner.alertText(error_message);
    return error_message;
  } catch (error) {
    showError(error);
    return "";
  }
}
