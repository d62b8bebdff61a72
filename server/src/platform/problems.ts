import { setTimeout as wait } from "node:timers/promises";
import type { RefusalCode } from "@alcove/contract/refusals";
import type { Language } from "@alcove/i18n";
import { DatabaseUnreachable } from "./database.ts";
import { fieldSentence, refusalSentence } from "./language.ts";
import type { Log } from "./log.ts";
import { Refusal } from "./refuse.ts";

/** A database that was started again is back by then. */
const RETRY_SECONDS = 5;

/**
 * Refusals that are the same for a nobody, a blocker and somebody suspended (decisions, section 3). They differ in what had
 * to be looked up first, and so are given at fixed moments after the question alone.
 */
const HIDING: ReadonlySet<RefusalCode> = new Set(["user_not_found", "conversation_not_found"]);
const HIDING_MS = 40;

const untilNextOf = (stepMs: number, elapsedMs: number): number => stepMs - (elapsedMs % stepMs);

/** Waits until a refusal may be told that must not tell, by when it comes, what was found; `elapsedMs` after the question. */
export async function untilTellable(error: unknown, elapsedMs: number): Promise<void> {
  if (error instanceof Refusal && HIDING.has(error.code))
    await wait(Math.ceil(untilNextOf(HIDING_MS, elapsedMs)));
}

/**
 * One place for everything that is thrown: the refusal that it is or, in an outage of the database, amounts to; null for a
 * fault. Outages and faults are written into the log, with what they are `about`.
 */
export function refusalOf(error: unknown, log: Pick<Log, "warn" | "error">, about: object): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnreachable) {
    const { reason, message } = error;
    log.warn({ reason, ...about }, message);
    return new Refusal("service_unavailable", { retryAfterSeconds: RETRY_SECONDS });
  }
  log.error({ err: error, ...about }, "a request failed");
  return null;
}

/** What is told of a refusal, or of a fault (null), in the caller's language. */
export function problemBody(refusal: Refusal | null, language: Language): object {
  if (!refusal) return { code: "fault", error_message: refusalSentence(language, "fault") };
  const { code, errors, beside } = refusal;
  const first = errors && Object.values(errors)[0]?.[0];
  return {
    code,
    error_message: first ? fieldSentence(language, first) : refusalSentence(language, code),
    ...(errors ? { validation_errors: errors } : {}),
    ...beside,
  };
}
