import { setTimeout as wait } from "node:timers/promises";
import type { ErrorCode } from "@alcove/contract/errors";
import type { Language } from "@alcove/i18n";
import { DatabaseUnreachableError } from "../db/errors.ts";
import { fieldMessage, errorMessage } from "../i18n.ts";
import type { Log } from "../log.ts";
import { ApiError } from "../errors.ts";

/** A database that was started again is back by then. */
const RETRY_SECONDS = 5;

/**
 * Refusals that are the same for a nobody, a blocker and somebody suspended (decisions, section 3). They differ in what had
 * to be looked up first, and so are given at fixed moments after the question alone.
 */
const HIDING: ReadonlySet<ErrorCode> = new Set(["user_not_found", "conversation_not_found"]);
const HIDING_MS = 40;

const untilNextOf = (stepMs: number, elapsedMs: number): number => stepMs - (elapsedMs % stepMs);

/** Waits until a refusal may be told that must not tell, by when it comes, what was found; `elapsedMs` after the question. */
export async function delayToHideCause(error: unknown, elapsedMs: number): Promise<void> {
  if (error instanceof ApiError && HIDING.has(error.code))
    await wait(Math.ceil(untilNextOf(HIDING_MS, elapsedMs)));
}

/**
 * One place for everything that is thrown: the refusal that it is or, in an outage of the database, amounts to; null for a
 * fault. Outages and faults are written into the log, with what they are `about`.
 */
export function toApiError(error: unknown, log: Pick<Log, "warn" | "error">, about: object): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnreachableError) {
    const { reason, message } = error;
    log.warn({ reason, ...about }, message);
    return new ApiError("service_unavailable", { retryAfterSeconds: RETRY_SECONDS });
  }
  log.error({ err: error, ...about }, "a request failed");
  return null;
}

/** What is told of a refusal, or of a fault (null), in the caller's language. */
export function errorBody(apiError: ApiError | null, language: Language): object {
  if (!apiError) return { code: "fault", error_message: errorMessage(language, "fault") };
  const { code, errors, details } = apiError;
  const first = errors && Object.values(errors)[0]?.[0];
  return {
    code,
    error_message: first ? fieldMessage(language, first) : errorMessage(language, code),
    ...(errors ? { validation_errors: errors } : {}),
    ...details,
  };
}
