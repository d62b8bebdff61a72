import { useSyncExternalStore } from "react";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";

/** Visible, with the focus, and not behind the privacy screen. */
export function useIsVisible(): boolean {
  const isHidden = useIsPrivacyScreenShown();
  const hasFocus = useSyncExternalStore(
    subscribe,
    () => document.visibilityState === "visible" && document.hasFocus(),
    () => false,
  );
  return hasFocus && !isHidden;
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
