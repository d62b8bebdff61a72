import { useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";
import { Refused } from "./api.ts";
import { banner } from "./banner.ts";
import { tellFailure } from "./failures.ts";
import { focusFirstFault } from "./form.ts";

/**
 * What is wrong with a form: said above each field and in one banner, with the focus on the first. `mark` leaves the
 * banner out, for a form that is in sight as a whole. `tell` is for a failure: it shows what the server found in the
 * fields, and tells of any other what is told of it everywhere.
 */
export function useFormFaults(form: RefObject<HTMLFormElement | null>) {
  const t = useTranslations("profileForm");
  const tf = useTranslations("fields");
  const [errors, setErrors] = useState<ValidationErrors>({});

  /** Two faults have an alert of their own (specification, section 5); an empty field says little without its name. */
  function sentenceFor(found: FieldMessage[]): string {
    const own = (["password_mismatch", "icon_required"] as const).find((message) => found.includes(message));
    const telling = own ?? found.find((message) => message !== "required");
    return telling ? tf(telling) : t("checkFields");
  }

  function mark(found: ValidationErrors): void {
    setErrors(found);
    if (form.current) focusFirstFault(form.current);
  }

  function show(found: ValidationErrors): void {
    banner.alertText(sentenceFor(Object.values(found).flat()));
    mark(found);
  }

  function tell(error: unknown): void {
    if (error instanceof Refused && Object.keys(error.errors).length > 0) show(error.errors);
    else tellFailure(error);
  }

  return { errors, mark, show, tell, clear: () => setErrors({}) };
}

/** Numbers that the browser could not read: it gives them as empty, and what was typed would be lost unnoticed. */
export function unreadNumbers(form: HTMLFormElement): ValidationErrors {
  const unread = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(unread.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}
