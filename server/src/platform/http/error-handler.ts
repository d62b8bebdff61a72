import { setTimeout as wait } from "node:timers/promises";
import type { ErrorCode } from "@alcove/contract/errors";
import type { Language } from "@alcove/i18n";
import { DatabaseUnavailableError, isTemporary } from "../db/errors.ts";
import { fieldMessage, errorMessage } from "../i18n.ts";
import type { Log } from "../log.ts";
import { ApiError } from "../errors.ts";

const RETRY_SECONDS = 5;

/**
 * These errors hide whether a member is non-existent, blocking or suspended. Their lookups take different times, so the
 * responses leave at multiples of a fixed interval.
 */
const AMBIGUOUS: ReadonlySet<ErrorCode> = new Set(["user_not_found", "conversation_not_found"]);
const INTERVAL_MS = 40;

export async function delayToHideCause(error: unknown, elapsedMs: number): Promise<void> {
  if (error instanceof ApiError && AMBIGUOUS.has(error.code))
    await wait(Math.ceil(INTERVAL_MS - (elapsedMs % INTERVAL_MS)));
}

/** Returns null for an unexpected error. Logs it, and outages of the database. */
export function toApiError(
  error: unknown,
  log: Pick<Log, "warn" | "error">,
  fields: object,
): ApiError | null {
  if (error instanceof ApiError) return error;
  if (isTemporary(error)) {
    const [message, reason] =
      error instanceof DatabaseUnavailableError
        ? [error.message, error.reason]
        : ["the database did not respond in time", error.message];
    log.warn({ reason, ...fields }, message);
    return new ApiError("service_unavailable", { retryAfterSeconds: RETRY_SECONDS });
  }
  log.error({ err: error, ...fields }, "a request failed");
  return null;
}

export function messageOf({ code, errors, retryAfterSeconds }: ApiError, language: Language): string {
  const first = errors && Object.values(errors)[0]?.[0];
  return first ? fieldMessage(language, first) : errorMessage(language, code, retryAfterSeconds);
}

export function errorBody(error: ApiError | null, language: Language): object {
  if (!error) return { code: "fault", error_message: errorMessage(language, "fault") };
  const { code, errors, details } = error;
  return {
    code,
    error_message: messageOf(error, language),
    ...(errors ? { validation_errors: errors } : {}),
    ...details,
  };
}
