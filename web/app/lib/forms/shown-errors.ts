import { fieldName } from "@alcove/contract/field-name";
import type { ValidationErrors } from "@alcove/contract/fields";

/** Focuses the first invalid field once the errors are rendered; in a radio group, the chosen button. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const invalid = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
    const first = invalid.find((element) => element.closest("[hidden]") === null);
    const inGroup = first?.querySelector<HTMLElement>("input:checked") ?? first?.querySelector("input");
    (inGroup ?? first)?.focus();
  });
}

/** The value of a number that the browser cannot read is empty, so the schema cannot reject it. */
export function invalidNumbers(form: HTMLFormElement): ValidationErrors {
  const inputs = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(inputs.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}

/** The snake case name of a form's element. A hidden or repeated input names its field in `data-field`. */
export function fieldOf(element: EventTarget): string {
  const { name, dataset } = element as HTMLElement & { name?: string };
  return fieldName(dataset["field"] ?? name ?? "");
}
