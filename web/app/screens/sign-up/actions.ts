import { checkSignUpCode, register, requestSignUpCode } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { actionResult, formResult, type FormResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";

/** Each form of the sign-up has its purpose in the field `intent`. */
export type Intent = "send" | "confirm" | "check" | "create";

export async function handleSignUpForm(form: FormData) {
  const intent = form.get("intent") as Intent;
  form.delete("intent");
  if (intent === "send") return actionResult(await sendCode(form));
  if (intent === "confirm") return actionResult(await submitForm(checkSignUpCode, form));
  if (intent === "check") return actionResult(await checkSignIn(form));
  return actionResult(await submitForm(register, form));
}

async function sendCode(form: FormData): Promise<FormResult<true>> {
  const input = {
    email: textOf(form, "email"),
    recaptchaAction: "SignUp",
    // The form requires both agreements.
    agree_privacy_policy: "yes",
    agree_tos: "yes",
  } as const;
  const result = await formResult(async () =>
    api(requestSignUpCode, { ...input, recaptchaToken: await botToken("SignUp") }),
  );
  if (!result.ok) return result;
  const { error_message: text } = result.value;
  return text === undefined
    ? { ok: true, value: true }
    : { ok: false, problems: { email: [{ text }] }, error: null };
}

const OF_SIGN_IN = ["user_id", "password", "password_confirmation", "code", "email"];

/** Sends the form so far. It lacks required fields, so no account is created; errors of other pages are left out. */
async function checkSignIn(form: FormData): Promise<FormResult<true>> {
  form.delete("icon");
  const result = await formResult(() =>
    api(register, Object.fromEntries(form) as unknown as InputOf<typeof register>),
  );
  if (result.ok) return { ok: true, value: true };
  if (!(result.error instanceof ApiError) || result.error.code !== "invalid_input") return result;
  const problems = Object.fromEntries(
    Object.entries(result.problems).filter(([field]) => OF_SIGN_IN.includes(field)),
  );
  return Object.keys(problems).length > 0 ? { ...result, problems } : { ok: true, value: true };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
