import { requestSignUpCode } from "@alcove/contract/accounts";
import { api, Offline, Refused } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { tellFailure } from "../../lib/failures.ts";

/** What the first step asks for. It is kept, so that going back, or another code, costs no typing. */
export interface CodeRequest {
  email: string;
  agreed: { privacy: boolean; terms: boolean; sensitive: boolean };
}

export const emptyRequest: CodeRequest = {
  email: "",
  agreed: { privacy: false, terms: false, sensitive: false },
};

/**
 * Asks for a letter with a code. Answers null when it is on its way, or what is wrong in words; the banner has told
 * either of a failure already.
 */
export async function askForCode(
  { email, agreed }: CodeRequest,
  botToken: () => Promise<string>,
): Promise<string | null> {
  try {
    const { error_message } = await api(requestSignUpCode, {
      email,
      recaptchaAction: "SignUp",
      recaptchaToken: await botToken(),
      // Nobody gets here without having ticked both.
      agree_privacy_policy: "yes",
      agree_tos: "yes",
      ...(agreed.sensitive ? { agree_sensitive: "yes" } : {}),
    });
    if (error_message === undefined) return null;
    banner.alertText(error_message);
    return error_message;
  } catch (error) {
    if (error instanceof Refused || error instanceof Offline) tellFailure(error);
    else banner.alert("fields.bot_check_failed");
    return "";
  }
}
