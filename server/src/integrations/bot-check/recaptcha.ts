import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { requestJson } from "../json-request.ts";

/** Google's own threshold: 1 is very likely a person, 0 very likely none. */
const LEAST_SCORE = 0.5;
/** Google takes a token for two minutes; ours is longer for the sake of clocks, and ends all the same. */
const LIFE_MS = 5 * MINUTE_MS;
const TOKEN_MAX = 8_000;

const Verdict = z.object({
  success: z.literal(true),
  score: z.number().check(z.gte(LEAST_SCORE), z.lte(1)),
  action: z.string(),
  challenge_ts: z.iso.datetime(),
  hostname: z.optional(z.string()),
});

/**
 * Asks reCAPTCHA of a token: right, for this action, of our own host, fresh, and likely a person's. Answers the token's digest
 * and until when it could be right, so that the caller can see that it is used once; null for everything else, an outage
 * included. The visitor's address is not told.
 */
export async function readRecaptcha(
  { config, clock, log }: Pick<AppContext, "config" | "clock" | "log">,
  token: string,
  action: string,
): Promise<{ challenge: Buffer; expires: Date } | null> {
  if (token === "" || token.length > TOKEN_MAX) return null;
  const body = new URLSearchParams({ secret: config.recaptchaSecret ?? "", response: token });
  const answer = await requestJson(new URL(config.recaptchaVerifyUrl), { method: "POST", body });
  if (answer?.status !== 200 || answer.body === undefined) {
    log.warn({ status: answer?.status ?? null }, "reCAPTCHA did not answer as it should");
    return null;
  }
  const verdict = z.safeParse(Verdict, answer.body);
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
  };
}
