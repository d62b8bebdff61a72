import { fieldName } from "@alcove/contract/field-name";

/** Focuses the first invalid field once the errors are rendered; in a radio group, the chosen button. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const invalid = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
    const first = invalid.find((element) => element.closest("[hidden]") === null);
    const inGroup = first?.querySelector<HTMLElement>("input:checked") ?? first?.querySelector("input");
    (inGroup ?? first)?.focus();
  });
}

/** The snake case name of a form's element. A hidden or repeated input names its field in `data-field`. */
export function fieldOf(element: EventTarget): string {
  const { name, dataset } = element as HTMLElement & { name?: string };
  return fieldName(dataset["field"] ?? name ?? "");
}
