import { useRef, useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";
import { banner } from "../banner.ts";
import { ApiError } from "../errors.ts";
import { showError } from "../show-error.ts";
import { focusFirstInvalid } from "./form.ts";

/**
 * Shows a form's errors above its fields and in one banner, and focuses the first invalid field.
 */
export function useFormErrors(form: RefObject<HTMLFormElement | null>) {
  const t = useTranslations("profileForm");
  const tf = useTranslations("fields");
  const [errors, setErrors] = useState<ValidationErrors>({});
  const shown = useRef<ValidationErrors>({});
  const removeBanner = useRef(() => {});

  /** Two errors have an alert of their own. "Required" needs the name of its field. */
  function summaryOf(messages: FieldMessage[]): string {
    const own = (["password_mismatch", "icon_required"] as const).find((message) =>
      messages.includes(message),
    );
    const specific = own ?? messages.find((message) => message !== "required");
    return specific ? tf(specific) : t("checkFields");
  }

  function setShown(found: ValidationErrors): void {
    shown.current = found;
    setErrors(found);
  }

  /** Without a banner: for a form that is visible as a whole. */
  function markInvalid(found: ValidationErrors): void {
    setShown(found);
    if (form.current) focusFirstInvalid(form.current);
  }

  function show(found: ValidationErrors): void {
    removeBanner.current();
    removeBanner.current = banner.removable(() => banner.alertText(summaryOf(Object.values(found).flat())));
    markInvalid(found);
  }

  /** Shows errors, and later those that only the server finds, unless others are shown by then. */
  async function showThenAdd(
    found: ValidationErrors,
    findMore: () => Promise<ValidationErrors>,
  ): Promise<void> {
    show(found);
    const more = await findMore();
    if (shown.current === found) setShown({ ...more, ...found });
  }

  function showFailure(error: unknown): void {
    if (error instanceof ApiError && Object.keys(error.errors).length > 0) show(error.errors);
    else showError(error);
  }

  function clear(): void {
    removeBanner.current();
    setShown({});
  }

  return { errors, markInvalid, show, showThenAdd, showFailure, clear };
}

/** The value of a number that the browser cannot read is empty, so the schema cannot reject it. */
export function invalidNumbers(form: HTMLFormElement): ValidationErrors {
  const inputs = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(inputs.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}
