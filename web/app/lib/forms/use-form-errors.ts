import { useRef, useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import type { FieldMessage, ValidationErrors } from "@alcove/contract/fields";
import { Refused } from "../api.ts";
import { banner } from "../banner.ts";
import { tellFailure } from "../show-error.ts";
import { focusFirstFault } from "./form.ts";

/**
 * What is wrong with a form: said above each field and in one banner, with the focus on the first. `mark` leaves the
 * banner out, for a form that is in sight as a whole. `tell` is for a failure: it shows what the server found in the
 * fields, and tells of any other what is told of it everywhere. `showAnd` is for a form with which the server can find
 * more wrong than the screen can. The banner goes when the form is sent again.
 */
export function useFormFaults(form: RefObject<HTMLFormElement | null>) {
  const t = useTranslations("profileForm");
  const tf = useTranslations("fields");
  const [errors, setErrors] = useState<ValidationErrors>({});
  const shown = useRef<ValidationErrors>({});
  const takeBack = useRef(() => {});

  /** Two faults have an alert of their own (specification, section 5); an empty field says little without its name. */
  function sentenceFor(found: FieldMessage[]): string {
    const own = (["password_mismatch", "icon_required"] as const).find((message) => found.includes(message));
    const telling = own ?? found.find((message) => message !== "required");
    return telling ? tf(telling) : t("checkFields");
  }

  function put(found: ValidationErrors): void {
    shown.current = found;
    setErrors(found);
  }

  function mark(found: ValidationErrors): void {
    put(found);
    if (form.current) focusFirstFault(form.current);
  }

  function show(found: ValidationErrors): void {
    takeBack.current();
    takeBack.current = banner.retractable(() => banner.alertText(sentenceFor(Object.values(found).flat())));
    mark(found);
  }

  /** Shows what was found here, and adds what else is found meanwhile, unless something else is shown by then. */
  async function showAnd(found: ValidationErrors, findMore: () => Promise<ValidationErrors>): Promise<void> {
    show(found);
    const more = await findMore();
    if (shown.current === found) put({ ...more, ...found });
  }

  function tell(error: unknown): void {
    if (error instanceof Refused && Object.keys(error.errors).length > 0) show(error.errors);
    else tellFailure(error);
  }

  function clear(): void {
    takeBack.current();
    put({});
  }

  return { errors, mark, show, showAnd, tell, clear };
}

/** Numbers that the browser could not read: it gives them as empty, and what was typed would be lost unnoticed. */
export function unreadNumbers(form: HTMLFormElement): ValidationErrors {
  const unread = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.validity.badInput,
  );
  return Object.fromEntries(unread.map(({ name, dataset }) => [dataset["field"] ?? name, ["not_a_number"]]));
}
