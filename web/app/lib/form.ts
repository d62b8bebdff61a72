import type * as z from "zod/mini";
import { readFields, type FieldMessage, type Reading, type ValidationErrors } from "@alcove/contract/fields";

/** Reads a form with the same schema as the server. */
export function readForm<S extends z.core.$ZodObject>(schema: S, form: FormData): Reading<z.output<S>> {
  return readFields(schema, Object.fromEntries(form.entries()));
}

/** Moves the focus to the first field that is wrong, once the errors are on screen. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** The first thing that is wrong with a field (its wire name, in either spelling). */
export function errorOf(errors: ValidationErrors | undefined, name: string): FieldMessage | undefined {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return errors?.[snake]?.[0];
}
