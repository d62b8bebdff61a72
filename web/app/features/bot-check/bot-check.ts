import { botChallenge, type botActions } from "@alcove/contract/accounts";
import { api } from "../../lib/api.ts";
import { settings } from "../../lib/settings.ts";
import { recaptchaToken } from "./recaptcha.ts";

type BotAction = (typeof botActions)[number];

/**
 * A token that shows that this form was filled by somebody's device: a proof of work for the action, solved in a
 * worker so that the page stays awake. Where it is configured, reCAPTCHA's. Empty where
 * the server checks nothing.
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
  return new Promise((done, fail) => {
    worker.addEventListener("message", (event) => done(event.data));
    worker.addEventListener("error", () => fail(new Error("the bot check could not be solved")));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
