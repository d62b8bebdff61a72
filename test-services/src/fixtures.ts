import type { InputOf } from "@alcove/contract";
import type { register } from "@alcove/contract/accounts";

type SignUpForm = Omit<InputOf<typeof register>, "email" | "code" | "passwordConfirmation"> & {
  email: string;
};

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

/** The profile of the sample form. A test names the values that matter. */
export const SAMPLE_PROFILE = {
  username: "Hanako",
  sex: "female",
  date_of_birth: "1983-05-06",
  description: "I like quiet evenings.",
  how_long_married: 12,
  how_long_married_unit: "year",
  tall: 165,
  tall_unit: "cm",
  weight: null,
  weight_unit: "kg",
  salary: null,
  salary_unit: "JPY",
  salary_duration: "year",
  search_sex: "all",
  search_range_unit: "km",
} as const;

export function signUpForm(userId: string, overrides: Partial<SignUpForm> = {}): SignUpForm {
  return {
    userId,
    email: `${userId}@example.com`,
    password: "quiet evenings at home",
    icon: new File([PIXEL], "icon.png", { type: "image/png" }),
    icon_process: false,
    ...SAMPLE_PROFILE,
    username: userId,
    ...overrides,
  };
}
