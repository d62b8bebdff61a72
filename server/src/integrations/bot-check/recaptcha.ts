import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { requestJson } from "../json-request.ts";
import type { BotSolution } from "./altcha.ts";

const MIN_SCORE = 0.5;
/** Google accepts a token for two minutes; the rest allows for wrong clocks. */
const LIFE_MS = 5 * MINUTE_MS;
const TOKEN_MAX = 8_000;

const Verdict = z.object({
  success: z.literal(true),
  score: z.number().check(z.gte(MIN_SCORE), z.lte(1)),
  action: z.string(),
  challenge_ts: z.iso.datetime(),
  hostname: z.optional(z.string()),
});

/** Also returns null in an outage, because there is no work to double. */
export async function verifyRecaptcha(
  { config, clock, log }: Pick<AppContext, "config" | "clock" | "log">,
  token: string,
  action: string,
): Promise<BotSolution | null> {
  if (token === "" || token.length > TOKEN_MAX) return null;
  const body = new URLSearchParams({ secret: config.recaptchaSecret ?? "", response: token });
  const response = await requestJson(new URL(config.recaptchaVerifyUrl), { method: "POST", body });
  if (response?.status !== 200 || response.body === undefined) {
    log.warn({ status: response?.status ?? null }, "reCAPTCHA sent an unexpected response");
    return null;
  }
  const verdict = z.safeParse(Verdict, response.body);
  if (!verdict.success || verdict.data.action !== action) return null;

  const { hostname, challenge_ts } = verdict.data;
  const isOurHost =
    !config.publicUrl || hostname === undefined || hostname === new URL(config.publicUrl).hostname;
  const solvedAt = new Date(challenge_ts).getTime();
  const isFresh = Math.abs(clock.now().getTime() - solvedAt) < LIFE_MS;
  if (!isOurHost || !isFresh) return null;
  return {
    challenge: createHash("sha256").update(`reCAPTCHA ${token}`).digest(),
    expires: new Date(solvedAt + LIFE_MS),
    doublings: Number.POSITIVE_INFINITY,
  };
}
