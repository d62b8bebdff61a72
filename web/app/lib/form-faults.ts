import { useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";
import { banner } from "./banner.ts";
import { focusFirstFault } from "./form.ts";

/** What is wrong with a form: said above each field and in one banner, with the focus on the first. */
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

  function show(found: ValidationErrors): void {
    setErrors(found);
    banner.alertText(sentenceFor(Object.values(found).flat()));
    if (form.current) focusFirstFault(form.current);
  }

  return { errors, show, clear: () => setErrors({}) };
}

/** Numbers that the browser could not read: it gives them as empty, and what was typed would be lost unnoticed. */
export function unreadNumbers(form: HTMLFormElement): ValidationErrors {
  const unread = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(unread.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}
