import { type ChangeEvent, type FocusEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { useTranslations } from "use-intl";
import { fieldName } from "@alcove/contract/field-name";
import { banner, type TranslationKey } from "../page/banner.ts";
import { showError } from "../page/show-error.ts";
import { onPointerUp } from "./on-pointer-up.ts";
import { focusFirstInvalid, invalidNumbers } from "./shown-errors.ts";
import { FormAlerts } from "./form-alerts.ts";
import { withoutFiles } from "./form-files.ts";
import type { FormResult, Problem, Problems } from "./form-result.ts";

interface FormOptions<T> {
  /** The page's own checks, by the snake case name of the field. */
  check: (form: FormData) => Problems;
  /** Adds values without a field, such as a picture, which the action gets by `readWithFiles`. */
  complete?: (form: FormData) => void;
  /** The route whose `clientAction` gets the form; by default the current one. */
  action?: string;
  /** Shown before the server's messages. */
  firstAlert?: TranslationKey | undefined;
  /** Shows a failure without messages for fields. */
  showFailure?: (error: unknown) => void;
  onDone?: (value: T) => void | Promise<void>;
  /** Returns true if it has handled the failure. */
  onFailure?: (failure: { problems: Problems; error: unknown }) => boolean;
  /** Called with the names of the fields that the page's own checks reject. */
  onInvalid?: (fields: readonly string[]) => void;
  /** Called after each change of a field. */
  onChange?: (form: HTMLFormElement) => void;
}

/** The errors of one field, for its component. */
export interface ShownErrors {
  /** The server's message, between label and field. */
  error: Problem | undefined;
  /** The page's own check, under the field. */
  ownError: Problem | undefined;
}

export type ErrorsOf = (name: string) => ShownErrors;

/**
 * A form that a `clientAction` handles.
 *
 * A field is checked when it is left; once it shows an error, also on each change. The server's messages are alerts too. Both
 * leave when the field is corrected.
 */
export function useForm<T>({
  check,
  complete = () => {},
  action,
  firstAlert,
  showFailure = showError,
  onDone,
  onFailure,
  onInvalid,
  onChange,
}: FormOptions<T>) {
  const tf = useTranslations("fields");
  const t = useTranslations("profileForm");
  const ref = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<FormResult<T>>();
  const isSending = useRef(false);
  const [alerts] = useState(() => new FormAlerts());
  const [own, setOwn] = useState<Problems>({});
  const [server, setServer] = useState<Problems>({});

  const textOf = (problem: Problem) => (typeof problem === "string" ? tf(problem) : problem.text);

  function readForm(form: HTMLFormElement): FormData {
    const fields = new FormData(form);
    complete(fields);
    return fields;
  }

  const checkForm = (form: HTMLFormElement): Problems => ({
    ...check(readForm(form)),
    ...invalidNumbers(form),
  });

  function inFormOrder<P>(found: Readonly<Record<string, P>>): [field: string, problems: P][] {
    const fields = [...(ref.current?.elements ?? [])].map(fieldOf);
    return Object.entries(found).sort(([one], [other]) => fields.indexOf(one) - fields.indexOf(other));
  }

  function showOwn(found: Problems): void {
    setOwn(found);
    onInvalid?.(Object.keys(found));
    const [field, messages] = inFormOrder(found)[0]!;
    const specific = messages.find((message) => message !== "required");
    alerts.add(field, () => banner.alertText(specific ? textOf(specific) : t("checkFields")));
    if (ref.current) focusFirstInvalid(ref.current);
  }

  function showServer(found: Problems): void {
    setServer(found);
    for (const [field, problems] of inFormOrder(found))
      for (const problem of problems) alerts.add(field, () => banner.alertText(textOf(problem)));
  }

  const handleResult = useEffectEvent((result: FormResult<T>) => {
    isSending.current = false;
    if (result.ok) return void onDone?.(result.value);
    if (onFailure?.(result)) return undefined;
    const hasProblems = Object.keys(result.problems).length > 0;
    if (hasProblems && firstAlert) alerts.add(null, () => banner.alert(firstAlert));
    if (hasProblems) {
      showServer(result.problems);
      if (ref.current) focusFirstInvalid(ref.current);
    } else alerts.add(null, () => showFailure(result.error));
    return undefined;
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- a fetcher returns its result by rendering
    if (fetcher.data) handleResult(fetcher.data);
  }, [fetcher.data]);

  /** Shows the page's own errors. Returns true if there are none. */
  function passesCheck(form: HTMLFormElement): boolean {
    alerts.clear();
    setServer({});
    setOwn({});
    const found = checkForm(form);
    const isValid = Object.keys(found).length === 0;
    if (!isValid) showOwn(found);
    return isValid;
  }

  function handleSubmit(form: HTMLFormElement): void {
    if (isSending.current || !passesCheck(form)) return;
    isSending.current = true;
    void fetcher.submit(withoutFiles(readForm(form)), {
      method: "post",
      encType: "multipart/form-data",
      ...(action === undefined ? {} : { action }),
    });
  }

  function correctServer(field: string): void {
    setServer(({ [field]: _corrected, ...others }) => others);
    alerts.removeOf(field);
  }

  function handleChange({ target, currentTarget: form }: ChangeEvent<HTMLFormElement>): void {
    const field = fieldOf(target);
    if (server[field]) correctServer(field);
    // Hidden inputs get their value with the next rendering.
    requestAnimationFrame(() => {
      onChange?.(form);
      if (Object.keys(own).length === 0) return;
      const found = checkForm(form);
      for (const name of Object.keys(own)) if (!found[name]) alerts.removeOf(name);
      setOwn(
        Object.fromEntries(Object.keys(own).flatMap((name) => (found[name] ? [[name, found[name]]] : []))),
      );
    });
  }

  /** An empty field is not checked before the form is sent. */
  function handleBlur({ target, currentTarget: form, relatedTarget }: FocusEvent<HTMLFormElement>): void {
    const field = fieldOf(target);
    const isLeft = !relatedTarget || fieldOf(relatedTarget) !== field;
    if (!isLeft || !field || target.value === "") return;
    onPointerUp(() => {
      if (isSending.current) return;
      const found = checkForm(form)[field];
      if (found && !found.includes("required")) setOwn((before) => ({ ...before, [field]: found }));
    });
  }

  return {
    props: { ref, noValidate: true, onSubmit: handleSubmit, onChange: handleChange, onBlur: handleBlur },
    errorsOf: (name: string): ShownErrors => ({
      error: server[fieldName(name)]?.[0],
      ownError: own[fieldName(name)]?.[0],
    }),
    isBusy: fetcher.state !== "idle",
    check: passesCheck,
    /** For the server's messages when a field is left: the focus stays where it is. */
    show: showServer,
    /** For a value that no field holds. */
    correct(field: string): void {
      correctServer(field);
      setOwn(({ [field]: _corrected, ...others }) => others);
    },
  };
}

const fieldOf = (element: EventTarget): string => {
  const { name, dataset } = element as HTMLElement & { name?: string };
  return fieldName(dataset["field"] ?? name ?? "");
};
