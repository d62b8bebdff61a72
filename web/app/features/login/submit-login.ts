import { ApiError } from "../../lib/api/errors.ts";
import { formResult, type FormResult } from "../../lib/forms/form-result.ts";
import { completeLogin } from "../../lib/session/complete-login.ts";
import { deviceToken } from "../../lib/session/session.ts";
import { logInWithBotCheck } from "./log-in-with-bot-check.ts";

/**
 * Logs in with the fields of the login, and starts the session. React Router then loads the data of the screen. Wrong
 * credentials are a message of the password.
 */
export async function submitLogin(
  form: FormData,
  solveBotCheck: (userId: string) => Promise<string>,
): Promise<FormResult<true>> {
  const isShared = form.has("shared");
  const credentials = { user_id: textOf(form, "user_id"), password: textOf(form, "password") };
  const result = await formResult<true>(async () => {
    const tokens = await logInWithBotCheck({ ...credentials, device: deviceToken(isShared) }, solveBotCheck);
    await completeLogin(tokens, { isShared });
    return true;
  });
  if (result.ok || !isWrong(result.error)) return result;
  return { ...result, problems: { password: [{ text: result.error.message }] } };
}

const isWrong = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "wrong_credentials";

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
