import { useEffect, useEffectEvent } from "react";
import { useFetcher } from "react-router";
import { showError } from "../show-error.ts";
import type { FormResult } from "./submit-form.ts";

/**
 * Settings that the `clientAction` of the current route saves at once. A change shows while it is sent; after a failure the
 * stored value shows again.
 */
export function useSettings<Name extends string>(
  stored: Readonly<Record<Name, string>>,
  onSaved: () => void,
) {
  const fetcher = useFetcher<FormResult<unknown>>();
  const handleResult = useEffectEvent((result: FormResult<unknown>) => {
    if (result.ok) onSaved();
    else showError(result.error);
  });
  useEffect(() => {
    if (fetcher.data) handleResult(fetcher.data);
  }, [fetcher.data]);
  const sent = Object.fromEntries(fetcher.formData ?? []) as Partial<Record<Name, string>>;
  const values: Readonly<Record<Name, string>> = { ...stored, ...sent };
  return {
    values,
    save: (change: Partial<Record<Name, string>>) =>
      void fetcher.submit({ ...values, ...change }, { method: "post" }),
  };
}
