import { useSyncExternalStore } from "react";
import { useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";

/** Whether somebody is looking at the page: it is in sight, has the focus, and nothing is put in front of it. */
export function useIsVisible(): boolean {
  const isCovered = useIsPrivacyScreenShown();
  const hasFocus = useSyncExternalStore(
    subscribe,
    () => document.visibilityState === "visible" && document.hasFocus(),
    () => false,
  );
  return hasFocus && !isCovered;
}

function subscribe(listener: () => void): () => void {
  addEventListener("focus", listener);
  addEventListener("blur", listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    removeEventListener("focus", listener);
    removeEventListener("blur", listener);
    document.removeEventListener("visibilitychange", listener);
  };
}
