import type { InputOf } from "@alcove/contract/call";
import type { logIn } from "@alcove/contract/accounts";
import { ApiError } from "../../lib/api/errors.ts";
import { formResult, type FormResult, type Problems } from "../../lib/forms/form-result.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import { completeLogin } from "../../lib/session/complete-login.ts";
import { deviceToken, type Tokens } from "../../lib/session/session.ts";
import { logInWithBotCheck } from "./log-in-with-bot-check.ts";

type SolveBotCheck = (userId: string) => Promise<string>;

/** The form of a login with a passkey alone has its response. */
export const PASSKEY_FIELD = "passkey";

/**
 * Logs in with the fields of the login, and starts the session. React Router then loads the data of the screen. Wrong
 * credentials are a message of the password, a wrong code one of its field.
 */
export async function submitLogin(form: FormData, solveBotCheck: SolveBotCheck): Promise<FormResult<true>> {
  const isShared = form.has("shared");
  const device = deviceToken(isShared);
  const result = await formResult<true>(async () => {
    const passkey = textOf(form, PASSKEY_FIELD);
    const tokens = passkey
      ? await logInByPasskey(passkey, device)
      : await logInByPassword(form, device, solveBotCheck);
    await completeLogin(tokens, { isShared });
    return true;
  });
  return result.ok ? result : { ...result, problems: { ...result.problems, ...problemsOf(result.error) } };
}

function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return {};
  const text = error.message;
  if (error.code === "wrong_recovery_code") return { recovery_code: [{ text }] };
  return error.code === "wrong_credentials" ? { password: [{ text }] } : {};
}

async function logInByPasskey(response: string, device: string | null): Promise<Tokens> {
  const { logInBy } = await import("./log-in-with-passkey.ts");
  return logInBy(JSON.parse(response) as Record<string, unknown>, device);
}

/** Asks for the second factor at once. If the person has no passkey here, the form asks for a recovery code. */
async function logInByPassword(
  form: FormData,
  device: string | null,
  solveBotCheck: SolveBotCheck,
): Promise<Tokens> {
  const recovery_code = textOf(form, "recovery_code") || null;
  const input: InputOf<typeof logIn> = {
    user_id: textOf(form, "user_id"),
    password: textOf(form, "password"),
    recovery_code,
    device,
  };
  try {
    return await logInWithBotCheck(input, solveBotCheck);
  } catch (error) {
    const isAsked = error instanceof ApiError && error.code === "passkey_required";
    if (!isAsked || recovery_code !== null || !offersPasskeys()) throw error;
    const { secondFactorFor } = await import("./log-in-with-passkey.ts");
    const response = await secondFactorFor(error);
    if (!response) throw error;
    return logInWithBotCheck({ ...input, response }, solveBotCheck);
  }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
