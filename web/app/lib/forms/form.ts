import type * as z from "zod/mini";
import { parseFields, type FieldMessage, type ParseResult, type ValidationErrors } from "@alcove/contract/fields";

/** Reads a form with the same schema as the server. */
export function readForm<S extends z.core.$ZodObject>(schema: S, form: FormData): ParseResult<z.output<S>> {
  return parseFields(schema, Object.fromEntries(form.entries()));
}

const FAULTY = '[aria-invalid="true"], .error ~ .picture-row button';

/**
 * Moves the focus to the first field that is wrong, once the errors are on screen. A group of radio buttons is faulty as
 * a whole: the focus goes to the chosen one.
 */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const first = form.querySelector<HTMLElement>(FAULTY);
    const inGroup = first?.querySelector<HTMLElement>("input:checked") ?? first?.querySelector("input");
    (inGroup ?? first)?.focus();
  });
}

/** The first thing that is wrong with a field (its wire name, in either spelling). */
export function errorOf(errors: ValidationErrors | undefined, name: string): FieldMessage | undefined {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return errors?.[snake]?.[0];
}
