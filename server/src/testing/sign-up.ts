import type { InputOf } from "@alcove/contract";
import { type register, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_DIGITS } from "@alcove/contract/limits";
import { requestResetCode } from "@alcove/contract/passwords";
import type { Mailbox } from "@alcove/test-services/mail";
import type { TestService } from "./test-service.ts";

type Form = InputOf<typeof register>;

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

export const agreed = { agree_privacy_policy: "yes", agree_tos: "yes" } as const;

export function signUpForm(overrides: Partial<Form> & { email: string; code: string }): Form {
  return {
    userId: "hanako",
    password: "quiet-evenings-7",
    passwordConfirmation: overrides.password ?? "quiet-evenings-7",
    icon: new File([PIXEL], "icon.png"),
    icon_process: false,
    username: "Hanako",
    sex: "female",
    date_of_birth: "1983-05-06",
    description: "I like quiet evenings.",
    how_long_married: 12,
    how_long_married_unit: "year",
    tall: 5.04,
    tall_unit: "feet inches",
    weight: null,
    weight_unit: "kg",
    salary: null,
    salary_unit: "JPY",
    salary_duration: "year",
    search_sex: "male",
    search_range_unit: "km",
    ...overrides,
  };
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
