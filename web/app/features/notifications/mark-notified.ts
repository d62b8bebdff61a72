import { sawNews } from "@alcove/contract/notifications";
import { api } from "../../lib/api/api.ts";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";

const PAUSE_MS = 5_000;

let lastReportAt = -Infinity;
/** False once the server responds that no device receives notifications. */
let hasReceivers = true;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reports that the member looks at the app, so that other devices show no notification. At most every 5 seconds; a lost
 * report causes one notification too many.
 */
export function markNotified(): void {
  if (timer || !hasReceivers) return;
  timer = setTimeout(
    () => {
      timer = undefined;
      if (document.visibilityState !== "visible" || privacyScreen.isShown()) return;
      lastReportAt = Date.now();
      void api(sawNews, {}).then(
        ({ listens }) => (hasReceivers = listens),
        () => undefined,
      );
    },
    Math.max(0, lastReportAt + PAUSE_MS - Date.now()),
  );
}

export function markNotifiedAgain(): void {
  hasReceivers = true;
  markNotified();
}

/** Returns a function that stops the reports. */
export function markNotifiedWhenVisible(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && markNotified();
  markNotifiedAgain();
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    document.removeEventListener("visibilitychange", handleVisible);
    clearTimeout(timer);
    timer = undefined;
  };
}
