import { botChallenge, type botActions } from "@alcove/contract/accounts";
import { api } from "../../lib/api.ts";
import { settings } from "../../lib/settings.ts";
import { recaptchaToken } from "./recaptcha.ts";

type BotAction = (typeof botActions)[number];

/**
 * Returns a token for the server's bot check: a proof of work, solved in a worker, or reCAPTCHA's token. Empty if
 * the check is off.
 */
export async function botToken(action: BotAction): Promise<string> {
  if (settings.botCheck === "off") return "";
  if (settings.botCheck === "recaptcha") return recaptchaToken(action);
  const challenge = await api(botChallenge, { action });
  const solution = await solve(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
}

function solve(challenge: unknown): Promise<unknown> {
  const worker = new Worker(new URL("./solver.worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", (event) => resolve(event.data));
    worker.addEventListener("error", () => reject(new Error("the bot check could not be solved")));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
