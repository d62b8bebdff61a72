import type { ChangeEvent, FocusEvent, RefObject } from "react";
import type { Problems } from "./form-result.ts";
import { onPointerUp } from "./on-pointer-up.ts";
import { fieldOf } from "./shown-errors.ts";
import type { useFormErrors } from "./use-form-errors.ts";

interface FormChecks {
  /** By the snake case name of the field. */
  check: (form: HTMLFormElement) => Problems;
  errors: ReturnType<typeof useFormErrors>;
  isSending: RefObject<boolean>;
  onInvalid: ((fields: readonly string[]) => void) | undefined;
  onChange: ((form: HTMLFormElement) => void) | undefined;
}

/** The page's own checks: of a field when it is left, of a wrong one at each change, and of all before the form is sent. */
export function useFormChecks({ check, errors, isSending, onInvalid, onChange }: FormChecks) {
  return {
    /** Shows the page's own errors. Returns true if there are none. */
    passes(form: HTMLFormElement): boolean {
      errors.clear();
      const found = check(form);
      const fields = Object.keys(found);
      if (fields.length === 0) return true;
      onInvalid?.(fields);
      errors.showOwn(found);
      return false;
    },
    handleChange({ target, currentTarget: form }: ChangeEvent<HTMLFormElement>): void {
      errors.correctServer(fieldOf(target));
      // Hidden inputs get their value with the next rendering.
      requestAnimationFrame(() => {
        onChange?.(form);
        if (Object.keys(errors.own).length > 0) errors.keepOwn(check(form));
      });
    },
    /** An empty field is not checked before the form is sent. */
    handleBlur({ target, currentTarget: form, relatedTarget }: FocusEvent<HTMLFormElement>): void {
      const field = fieldOf(target);
      const isLeft = !relatedTarget || fieldOf(relatedTarget) !== field;
      if (!isLeft || !field || target.value === "") return;
      onPointerUp(() => {
        if (isSending.current) return;
        const found = check(form)[field];
        if (found && !found.includes("required")) errors.showOwnOf(field, found);
      });
    },
  };
}
