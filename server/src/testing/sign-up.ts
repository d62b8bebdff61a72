import type { InputOf } from "@alcove/contract";
import { type register, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_DIGITS } from "@alcove/contract/limits";
import { requestResetCode } from "@alcove/contract/passwords";
import { signUpForm as sampleForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import type { TestService } from "./test-service.ts";

type Form = InputOf<typeof register>;

export const agreed = { agree_privacy_policy: "yes", agree_tos: "yes" } as const;

export function signUpForm(overrides: Partial<Form> & { email: string; code: string }): Form {
  const password = overrides.password ?? "quiet-evenings-7";
  const form = sampleForm("hanako", { username: "Hanako", password });
  return { ...form, passwordConfirmation: password, ...overrides };
}

/** The code comes from the `nth` email. */
export async function requestSignUpCodeFor(
  service: TestService,
  mailbox: Mailbox,
  email: string,
  nth = 1,
): Promise<string> {
  await service.call(requestSignUpCode, { email, ...agreed });
  return codeOf(mailbox, email, nth);
}

export async function requestResetCodeFor(
  service: TestService,
  mailbox: Mailbox,
  email: string,
  nth = 1,
): Promise<string> {
  await service.call(requestResetCode, { email });
  return codeOf(mailbox, email, nth);
}

/** Another code of digits. */
export const wrongCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");

async function codeOf(mailbox: Mailbox, email: string, nth: number): Promise<string> {
  const { code } = await mailbox.waitForEmail(email, nth);
  if (code === null) throw new Error("the email has no code");
  return code;
}
