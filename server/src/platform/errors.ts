import type { ErrorCode } from "@alcove/contract/errors";
import { errors } from "@alcove/contract/errors";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";

type ErrorDetails = Readonly<Record<string, unknown>>;

/** An expected error. The log has its code, without a stack. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly errors: ValidationErrors | null;
  readonly retryAfterSeconds: number | null;
  readonly details: ErrorDetails;
  /** The request was about this member's account. Only the log has it. */
  readonly memberId: number | null;

  constructor(
    code: ErrorCode,
    options: {
      errors?: ValidationErrors;
      retryAfterSeconds?: number;
      details?: ErrorDetails;
      memberId?: number;
    } = {},
  ) {
    super(code);
    this.code = code;
    this.errors = options.errors ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.details = options.details ?? {};
    this.memberId = options.memberId ?? null;
  }

  get status(): number {
    return errors[this.code];
  }
}

export function validationError(errors: Record<string, FieldMessage | FieldMessage[]>): ApiError {
  const lists = Object.entries(errors).map(([field, messages]) => [field, [messages].flat()] as const);
  return new ApiError("invalid_input", { errors: Object.fromEntries(lists) });
}

export type FieldErrors = Readonly<Record<string, FieldMessage | readonly FieldMessage[] | null>>;

export function throwIfInvalid(fieldErrors: FieldErrors): void {
  const errors = validationErrorsOf(fieldErrors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

export function validationErrorsOf(errors: FieldErrors): ValidationErrors {
  const found = Object.entries(errors)
    .map(([field, messages]) => [field, messages === null ? [] : [messages].flat()] as const)
    .filter(([, messages]) => messages.length > 0);
  return Object.fromEntries(found);
}

export function mergeErrors(first: ValidationErrors, second: ValidationErrors): ValidationErrors {
  const merged = { ...first };
  for (const [field, messages] of Object.entries(second))
    merged[field] = [...new Set([...(merged[field] ?? []), ...messages])];
  return merged;
}
