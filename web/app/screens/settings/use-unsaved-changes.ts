import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useBlocker } from "react-router";

export const entriesOf = (form: HTMLFormElement): Record<string, FormDataEntryValue> =>
  Object.fromEntries(new FormData(form).entries());

/**
 * Blocks leaving the screen with unsaved changes; outside the app the browser asks. `rememberSaved` is the ref of the
 * fields and stores their saved values.
 */
export function useUnsavedChanges(form: RefObject<HTMLFormElement | null>) {
  const saved = useRef("");
  const rememberSaved = useCallback((fields: HTMLElement | null) => {
    const element = fields?.closest("form");
    if (element) saved.current = JSON.stringify(entriesOf(element));
  }, []);
  const isUnsaved = () => form.current !== null && JSON.stringify(entriesOf(form.current)) !== saved.current;

  const latestIsUnsaved = useRef(isUnsaved);
  useEffect(() => {
    latestIsUnsaved.current = isUnsaved;
  });
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (latestIsUnsaved.current()) event.preventDefault();
    };
    addEventListener("beforeunload", handleUnload);
    return () => removeEventListener("beforeunload", handleUnload);
  }, []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isUnsaved(),
  );
  return { blocker, rememberSaved };
}
