import { requestSignUpCode } from "@alcove/contract/accounts";
import { requestEmailCode } from "../../lib/request-email-code.ts";

/** What the first step asks for. It is kept, so that going back, or another code, costs no typing. */
export interface CodeRequest {
  email: string;
  agreed: { privacy: boolean; terms: boolean; sensitive: boolean };
}

export const emptyRequest: CodeRequest = {
  email: "",
  agreed: { privacy: false, terms: false, sensitive: false },
};

/** Asks for a letter with a code; null when it is on its way, or what is wrong in words. */
export async function sendCode(
  { email, agreed }: CodeRequest,
  botToken: () => Promise<string>,
): Promise<string | null> {
  const input = {
    email,
    recaptchaAction: "SignUp",
    // Nobody gets here without having ticked both.
    agree_privacy_policy: "yes",
    agree_tos: "yes",
    ...(agreed.sensitive ? { agree_sensitive: "yes" } : {}),
  } as const;
  return requestEmailCode(requestSignUpCode, input, botToken);
}
