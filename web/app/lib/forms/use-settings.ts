import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { banner } from "../page/banner.ts";
import { showError } from "../page/show-error.ts";
import type { FormResult } from "./form-result.ts";

/**
 * Settings that the `action` of the current route saves at once, with a notice. A change shows while it is sent; after a failure the
 * stored value shows again.
 */
export function useSettings<Name extends string>(stored: Readonly<Record<Name, string>>) {
  const fetcher = useFetcher<FormResult<unknown>>();
  const unsaved = useRef<Partial<Record<Name, string>>>({});
  const [shown, setShown] = useState<Partial<Record<Name, string>>>({});
  // A request saves all settings. Two at the same time could arrive in the wrong order.
  const isSending = useRef(false);
  const hasMore = useRef(false);

  function send(): void {
    isSending.current = true;
    hasMore.current = false;
    void fetcher.submit({ ...stored, ...unsaved.current }, { method: "post" });
  }

  const handleEnd = useEffectEvent((result: FormResult<unknown>) => {
    if (result.ok) banner.notify("settings.saved");
    else showError(result.error);
    isSending.current = false;
    if (hasMore.current) return send();
    unsaved.current = {};
    setShown({});
  });
  const ended = useRef<FormResult<unknown>>(undefined);
  useEffect(() => {
    // React renders each result, but may leave out the states of a quick request.
    if (fetcher.state !== "idle" || !fetcher.data || fetcher.data === ended.current) return;
    ended.current = fetcher.data;
    handleEnd(fetcher.data);
  }, [fetcher.state, fetcher.data]);

  const values: Readonly<Record<Name, string>> = { ...stored, ...shown };
  return {
    values,
    save(change: Partial<Record<Name, string>>): void {
      unsaved.current = { ...unsaved.current, ...change };
      setShown(unsaved.current);
      if (isSending.current) hasMore.current = true;
      else send();
    },
  };
}
