import type * as z from "zod/mini";
import type { Call } from "@alcove/contract/call";
import {
  parseFields,
  type FieldMessage,
  type ParseResult,
  type ValidationErrors,
} from "@alcove/contract/fields";

export function readForm<S extends z.core.$ZodObject>(schema: S, form: FormData): ParseResult<z.output<S>> {
  return parseFields(schema, Object.fromEntries(form.entries()));
}

/** Focuses the first invalid field once the errors are rendered; in a radio group, the chosen button. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const invalid = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
    const first = invalid.find((element) => element.closest("[hidden]") === null);
    const inGroup = first?.querySelector<HTMLElement>("input:checked") ?? first?.querySelector("input");
    (inGroup ?? first)?.focus();
  });
}

/** `name` is the wire name in snake_case or camelCase. */
export function errorOf(errors: ValidationErrors | undefined, name: string): FieldMessage | undefined {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return errors?.[snake]?.[0];
}

/** The contract's errors of some fields, by their snake case names. */
export function pickErrors(call: Call, form: FormData, names: readonly string[]): ValidationErrors {
  const parsed = parseFields(call.input, Object.fromEntries(form));
  if (parsed.ok) return {};
  return Object.fromEntries(Object.entries(parsed.errors).filter(([name]) => names.includes(name)));
}
