import type * as z from "zod/mini";
import {
  parseFields,
  type FieldMessage,
  type ParseResult,
  type ValidationErrors,
} from "@alcove/contract/fields";

export function readForm<S extends z.core.$ZodObject>(schema: S, form: FormData): ParseResult<z.output<S>> {
  return parseFields(schema, Object.fromEntries(form.entries()));
}

const INVALID_FIELD = '[aria-invalid="true"], .error ~ .picture-row button';

/** Focuses the first invalid field once the errors are rendered; in a radio group, the chosen button. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const first = form.querySelector<HTMLElement>(INVALID_FIELD);
    const inGroup = first?.querySelector<HTMLElement>("input:checked") ?? first?.querySelector("input");
    (inGroup ?? first)?.focus();
  });
}

/** `name` is the wire name in snake_case or camelCase. */
export function errorOf(errors: ValidationErrors | undefined, name: string): FieldMessage | undefined {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return errors?.[snake]?.[0];
}
