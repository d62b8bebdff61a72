import { useRef, useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";
import { banner } from "../banner.ts";
import { ApiError } from "../errors.ts";
import { showError } from "../show-error.ts";
import { errorOf, focusFirstInvalid } from "./form.ts";
import type { ErrorsOf } from "./use-form.ts";

/**
 * Shows a form's errors above its fields and in one banner, and focuses the first invalid field.
 */
export function useFormErrors(form: RefObject<HTMLFormElement | null>) {
  const t = useTranslations("profileForm");
  const tf = useTranslations("fields");
  const [errors, setErrors] = useState<ValidationErrors>({});
  const removeBanner = useRef(() => {});

  /** Two errors have an alert of their own. "Required" needs the name of its field. */
  function summaryOf(messages: FieldMessage[]): string {
    const own = (["password_mismatch", "icon_required"] as const).find((message) =>
      messages.includes(message),
    );
    const specific = own ?? messages.find((message) => message !== "required");
    return specific ? tf(specific) : t("checkFields");
  }

  /** Without a banner: for a form that is visible as a whole. */
  function markInvalid(found: ValidationErrors): void {
    setErrors(found);
    if (form.current) focusFirstInvalid(form.current);
  }

  function show(found: ValidationErrors): void {
    removeBanner.current();
    removeBanner.current = banner.removable(() => banner.alertText(summaryOf(Object.values(found).flat())));
    markInvalid(found);
  }

  function showFailure(error: unknown): void {
    if (error instanceof ApiError && Object.keys(error.errors).length > 0) show(error.errors);
    else showError(error);
  }

  function clear(): void {
    removeBanner.current();
    setErrors({});
  }

  return { errors, markInvalid, show, showFailure, clear };
}

/** For forms that show all errors in one place. */
export function serverErrorsOf(errors: ValidationErrors): ErrorsOf {
  return (name) => ({ error: errorOf(errors, name), ownError: undefined });
}

/** The value of a number that the browser cannot read is empty, so the schema cannot reject it. */
export function invalidNumbers(form: HTMLFormElement): ValidationErrors {
  const inputs = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(inputs.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}
