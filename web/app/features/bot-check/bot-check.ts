import { botChallenge, type botActions } from "@alcove/contract/accounts";
import { api } from "../../lib/api.ts";
import { ApiError, BotCheckError, OfflineError } from "../../lib/errors.ts";
import { settings } from "../../lib/settings.ts";
import { recaptchaToken } from "./recaptcha-frame.ts";

export type BotAction = (typeof botActions)[number];

/**
 * Returns a token for the server's bot check: a proof of work, solved in a worker, or reCAPTCHA's token. Empty if
 * the check is off.
 *
 * @throws ApiError, OfflineError, BotCheckError
 */
export async function botToken(action: BotAction, userId?: string): Promise<string> {
  if (settings.botCheck === "off") return "";
  try {
    if (settings.botCheck === "recaptcha") return await recaptchaToken(action);
    const challenge = await api(botChallenge, { action, user_id: userId });
    const solution = await solve(challenge);
    return btoa(JSON.stringify({ challenge, solution }));
  } catch (error) {
    if (error instanceof ApiError || error instanceof OfflineError) throw error;
    throw new BotCheckError("the bot check could not be solved", { cause: error });
  }
}

export async function loginBotToken(userId: string): Promise<string> {
  return botToken("Login", userId);
}

function solve(challenge: unknown): Promise<unknown> {
  const worker = new Worker(new URL("./solver.worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => (data ? resolve(data) : reject(new Error("timeout"))));
    worker.addEventListener("error", () => reject(new Error("the worker failed")));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
