import { type botActions, botChallenge } from "@alcove/contract/accounts";
import { api } from "../../lib/api/api.ts";

export { recaptchaToken } from "./recaptcha-frame.ts";

/** A proof of work, solved in a worker. */
export async function altchaToken(action: (typeof botActions)[number], userId?: string): Promise<string> {
  const challenge = await api(botChallenge, { action, user_id: userId });
  const solution = await solve(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
}

function solve(challenge: unknown): Promise<unknown> {
  const worker = new Worker(new URL("./solver.worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => (data ? resolve(data) : reject(new Error("timeout"))));
    worker.addEventListener("error", () => reject(new Error("the worker failed")));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
