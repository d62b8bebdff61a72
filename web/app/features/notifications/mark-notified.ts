import { sawNews } from "@alcove/contract/notifications";
import { api } from "../../lib/api.ts";
import { privacyScreen } from "../../lib/privacy-screen.ts";

const PAUSE_MS = 5_000;

let lastReportAt = -Infinity;
/** False while the server says that no device receives notifications. */
let hasReceivers = true;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reports that the member looks at the app, so that other devices show no notification. Reports at once, then at
 * most every 5 seconds; a lost report causes one notification too many.
 */
export function tellSeen(): void {
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

/** Reports again after the member's notification settings have changed. */
export function tellSeenAgain(): void {
  hasReceivers = true;
  tellSeen();
}

/** Reports each time the app becomes visible. Returns a function that stops this. */
export function watchEyes(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && tellSeen();
  tellSeenAgain();
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    document.removeEventListener("visibilitychange", handleVisible);
    clearTimeout(timer);
    timer = undefined;
  };
}
