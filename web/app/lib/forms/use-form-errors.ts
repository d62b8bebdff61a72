import { useState, type RefObject } from "react";
import { useTranslations } from "use-intl";
import { fieldName } from "@alcove/contract/field-name";
import { banner } from "../page/banner.ts";
import { FormAlerts } from "./form-alerts.ts";
import type { Problem, Problems } from "./form-result.ts";
import { fieldOf, focusFirstInvalid } from "./shown-errors.ts";

/** The errors of one field, for its component. */
export interface ShownErrors {
  /** The server's messages, between label and field. */
  error: readonly Problem[] | undefined;
  /** Those of the page's own check, under the field. */
  ownError: readonly Problem[] | undefined;
}

export type ErrorsOf = (name: string) => ShownErrors;

const without = (problems: Problems, field: string): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([name]) => name !== field));

const SPECIFIED_ALERTS: readonly Problem[] = [
  "password_mismatch",
  "passwords_differ",
  "confirmation_differs",
  "icon_required",
  "plan_required",
];

const isSpecifiedAlert = (problem: Problem): boolean => SPECIFIED_ALERTS.includes(problem);

/** The errors that a form shows: at the fields, as alerts, and by the focus. Those of a field leave when it is corrected. */
export function useFormErrors(ref: RefObject<HTMLFormElement | null>) {
  const tf = useTranslations("fields");
  const [alerts] = useState(() => new FormAlerts());
  const [own, setOwn] = useState<Problems>({});
  const [server, setServer] = useState<Problems>({});

  const textOf = (problem: Problem) => (typeof problem === "string" ? tf(problem) : problem.text);

  function inFormOrder(found: Problems): [field: string, problems: readonly Problem[]][] {
    const fields = [...(ref.current?.elements ?? [])].map(fieldOf);
    return Object.entries(found).sort(([one], [other]) => fields.indexOf(one) - fields.indexOf(other));
  }

  function correctServer(field: string): void {
    setServer((before) => without(before, field));
    alerts.removeOf(field);
  }

  return {
    own,
    errorsOf: (name: string): ShownErrors => ({
      error: server[fieldName(name)],
      ownError: own[fieldName(name)],
    }),
    /** An alert that belongs to no field. */
    alert: (show: () => void) => alerts.add(null, show),
    clear(): void {
      alerts.clear();
      setServer({});
      setOwn({});
    },
    /** Shows the page's own errors. Only those that the specification calls alerts are alerts too. */
    showOwn(found: Problems): void {
      setOwn(found);
      for (const [field, messages] of inFormOrder(found))
        for (const message of messages.filter(isSpecifiedAlert))
          alerts.add(field, () => banner.alertText(textOf(message)));
      if (ref.current) focusFirstInvalid(ref.current);
    },
    /** Shows the page's own error of a field that was left. */
    showOwnOf(field: string, problems: readonly Problem[]): void {
      setOwn((before) => ({ ...before, [field]: problems }));
    },
    /** Shows the own errors that remain after a change. */
    keepOwn(found: Problems): void {
      for (const name of Object.keys(own)) if (!found[name]) alerts.removeOf(name);
      setOwn(
        Object.fromEntries(Object.keys(own).flatMap((name) => (found[name] ? [[name, found[name]]] : []))),
      );
    },
    /** Shows the server's messages with an alert for each. The focus stays. */
    showServer(found: Problems): void {
      setServer(found);
      for (const [field, problems] of inFormOrder(found))
        for (const problem of problems) alerts.add(field, () => banner.alertText(textOf(problem)));
    },
    /** Removes the server's messages of a field that was changed. */
    correctServer(field: string): void {
      if (server[field]) correctServer(field);
    },
    /** Removes all errors of a field. */
    correct(field: string): void {
      correctServer(field);
      setOwn((before) => without(before, field));
    },
  };
}
