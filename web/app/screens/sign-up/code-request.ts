import { requestSignUpCode } from "@alcove/contract/accounts";
import { requestEmailCode } from "../../lib/request-email-code.ts";

/** The input of the first step, kept for going back and for another code. */
export interface CodeRequest {
  email: string;
  agreed: { privacy: boolean; terms: boolean; sensitive: boolean };
}

export const emptyRequest: CodeRequest = {
  email: "",
  agreed: { privacy: false, terms: false, sensitive: false },
};

/** Returns null if the email is sent, or the field's error. */
export async function sendCode(
  { email, agreed }: CodeRequest,
  botToken: () => Promise<string>,
): Promise<string | null> {
  const input = {
    email,
    recaptchaAction: "SignUp",
    // The form requires both agreements.
    agree_privacy_policy: "yes",
    agree_tos: "yes",
    ...(agreed.sensitive ? { agree_sensitive: "yes" } : {}),
  } as const;
  return requestEmailCode(requestSignUpCode, input, botToken);
}
