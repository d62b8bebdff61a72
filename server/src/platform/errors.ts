import type { ErrorCode } from "@alcove/contract/errors";
import { errors } from "@alcove/contract/errors";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";

/** An expected "no": told to the caller in its language, never logged as a fault. */
export class ApiError extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  readonly errors: ValidationErrors | null;
  readonly retryAfterSeconds: number | null;
  /** What else the caller is told, where the specification gives a refusal more than its sentence. */
  readonly details: Readonly<Record<string, number>>;

  constructor(
    code: ErrorCode,
    more: { errors?: ValidationErrors; retryAfterSeconds?: number; beside?: Record<string, number> } = {},
  ) {
    super(code);
    this.code = code;
    this.errors = more.errors ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.details = more.beside ?? {};
  }

  get status(): number {
    return errors[this.code];
  }
}

/** Makes the refusal of a form for its fields (snake case names). */
export function validationError(errors: Record<string, FieldMessage | FieldMessage[]>): ApiError {
  const lists = Object.entries(errors).map(([field, messages]) => [field, [messages].flat()] as const);
  return new ApiError("invalid_input", { errors: Object.fromEntries(lists) });
}

/** What is wrong with fields (snake case names); null where nothing is. */
export type FieldErrors = Readonly<Record<string, FieldMessage | null>>;

/** Refuses a form where something is wrong with its fields. */
export function throwIfInvalid(fieldErrors: FieldErrors): void {
  const errors = validationErrorsOf(fieldErrors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

/** The faults there are, as answers carry them. */
export function validationErrorsOf(errors: FieldErrors): ValidationErrors {
  const found = Object.entries(errors).flatMap(([field, message]) =>
    message === null ? [] : [[field, [message]]],
  );
  return Object.fromEntries(found) as ValidationErrors;
}
