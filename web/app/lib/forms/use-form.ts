import { useEffect, useEffectEvent, useRef } from "react";
import { useFetcher } from "react-router";
import { banner, type TranslationKey } from "../page/banner.ts";
import { showError } from "../page/show-error.ts";
import { withoutFiles } from "./form-files.ts";
import type { FormResult, Problems } from "./form-result.ts";
import { focusFirstInvalid } from "./shown-errors.ts";
import { useFormChecks } from "./use-form-checks.ts";
import { useFormErrors } from "./use-form-errors.ts";

interface FormOptions<T> {
  /** The page's own checks, by the snake case name of the field. */
  check: (form: FormData) => Problems;
  /** Adds values without a field, such as a picture, which the action gets by `readWithFiles`. */
  complete?: (form: FormData) => void;
  /** The route whose `action` gets the form; by default the current one. */
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

/**
 * A form that a `action` handles.
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
  const ref = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<FormResult<T>>();
  const isSending = useRef(false);
  const errors = useFormErrors(ref);
  const { passes, handleChange, handleBlur } = useFormChecks({
    check: (form) => check(readForm(form)),
    errors,
    isSending,
    onInvalid,
    onChange,
  });

  function readForm(form: HTMLFormElement): FormData {
    const fields = new FormData(form);
    complete(fields);
    return fields;
  }

  const handleResult = useEffectEvent((result: FormResult<T>) => {
    isSending.current = false;
    if (result.ok) return void onDone?.(result.value);
    if (onFailure?.(result)) return undefined;
    if (Object.keys(result.problems).length === 0) {
      errors.alert(() => showFailure(result.error));
      return undefined;
    }
    if (firstAlert) errors.alert(() => banner.alert(firstAlert));
    errors.showServer(result.problems);
    if (ref.current) focusFirstInvalid(ref.current);
    return undefined;
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- a fetcher returns its result by rendering
    if (fetcher.data) handleResult(fetcher.data);
  }, [fetcher.data]);

  function handleSubmit(form: HTMLFormElement): void {
    if (isSending.current || !passes(form)) return;
    isSending.current = true;
    void fetcher.submit(withoutFiles(readForm(form)), {
      method: "post",
      encType: "multipart/form-data",
      ...(action === undefined ? {} : { action }),
    });
  }

  return {
    props: { ref, noValidate: true, onSubmit: handleSubmit, onChange: handleChange, onBlur: handleBlur },
    errorsOf: errors.errorsOf,
    isBusy: fetcher.state !== "idle",
    check: passes,
    /** For the server's messages when a field is left: the focus stays where it is. */
    show: errors.showServer,
    /** For a value that no field holds. */
    correct: errors.correct,
  };
}
