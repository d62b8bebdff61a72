import { sawNews } from "@alcove/contract/notifications";
import { api } from "../../lib/api.ts";
import { privacyScreen } from "../../lib/privacy-screen.ts";

const PAUSE_MS = 5_000;

let last = -Infinity;
/** A member whom nothing tells need not say anything until the app is opened anew, or the choices change. */
let isTold = true;
let waiting: ReturnType<typeof setTimeout> | undefined;

/**
 * Tells the server that the app is before the member's eyes, so that no other device is told of what it sees here: at once, and
 * once more after a pause for all that comes meanwhile. What does not get through is only told once too often.
 */
export function tellSeen(): void {
  if (waiting || !isTold) return;
  waiting = setTimeout(
    () => {
      waiting = undefined;
      if (document.visibilityState !== "visible" || privacyScreen.isShown()) return;
      last = Date.now();
      void api(sawNews, {}).then(
        ({ listens }) => (isTold = listens),
        () => undefined,
      );
    },
    Math.max(0, last + PAUSE_MS - Date.now()),
  );
}

/** To be called when the member has changed how it is told. */
export function tellSeenAgain(): void {
  isTold = true;
  tellSeen();
}

/** Tells it whenever the member comes back to the app. Answers how to stop. */
export function watchEyes(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && tellSeen();
  tellSeenAgain();
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    document.removeEventListener("visibilitychange", handleVisible);
    clearTimeout(waiting);
    waiting = undefined;
  };
}
