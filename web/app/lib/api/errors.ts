import type { ErrorCode } from "@alcove/contract/errors";
import type { ValidationErrors } from "@alcove/contract/fields";

export interface ErrorBody {
  code?: string;
  error_message?: string;
  validation_errors?: ValidationErrors;
  /** Of `passkey_required`. */
  options?: Record<string, unknown>;
}

/** An error that the server returned. Decide by `code`; `message` is in the member's language. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | "unexpected";
  readonly errors: ValidationErrors;
  /** Of `passkey_required`: the options of WebAuthn. */
  readonly options: Record<string, unknown> | null;
  /** Of a response over HTTP; the server's log has it. */
  readonly requestId: string | null;

  constructor(status: number, body: ErrorBody, requestId: string | null = null) {
    super(body.error_message ?? "Error");
    this.status = status;
    this.code = (body.code ?? "unexpected") as ErrorCode | "unexpected";
    this.errors = body.validation_errors ?? {};
    this.options = body.options ?? null;
    this.requestId = requestId;
  }
}

/** The bot check could not be solved, for example because a script was blocked. */
export class BotCheckError extends Error {
  override name = "BotCheckError";
}

/** The server could not be reached. The screen keeps the input. */
export class OfflineError extends Error {
  override name = "OfflineError";
}
