import type { RefusalCode } from "@alcove/contract/refusals";
import { refusals } from "@alcove/contract/refusals";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";

/** An expected "no": told to the caller in its language, never logged as a fault. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: RefusalCode;
  readonly errors: ValidationErrors | null;
  readonly retryAfterSeconds: number | null;
  /** What else the caller is told, where the specification gives a refusal more than its sentence. */
  readonly beside: Readonly<Record<string, number>>;

  constructor(
    code: RefusalCode,
    more: { errors?: ValidationErrors; retryAfterSeconds?: number; beside?: Record<string, number> } = {},
  ) {
    super(code);
    this.code = code;
    this.errors = more.errors ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.beside = more.beside ?? {};
  }

  get status(): number {
    return refusals[this.code];
  }
}

/** Makes a refusal to throw: `throw refuse("user_not_found")`. */
export function refuse(code: RefusalCode, more?: { retryAfterSeconds?: number }): Refusal {
  return new Refusal(code, more);
}

/** Makes the refusal of a form for its fields (snake case names). */
export function refuseFields(errors: Record<string, FieldMessage | FieldMessage[]>): Refusal {
  const lists = Object.entries(errors).map(([field, messages]) => [field, [messages].flat()] as const);
  return new Refusal("invalid_input", { errors: Object.fromEntries(lists) });
}

/** What is wrong with fields (snake case names); null where nothing is. */
export type Faults = Readonly<Record<string, FieldMessage | null>>;

/** Refuses a form where something is wrong with its fields. */
export function refuseFaults(faults: Faults): void {
  const errors = errorsOf(faults);
  if (Object.keys(errors).length > 0) throw refuseFields(errors);
}

/** The faults there are, as answers carry them. */
export function errorsOf(faults: Faults): ValidationErrors {
  const found = Object.entries(faults).flatMap(([field, fault]) =>
    fault === null ? [] : [[field, [fault]]],
  );
  return Object.fromEntries(found) as ValidationErrors;
}
