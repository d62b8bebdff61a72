import { useSyncExternalStore } from "react";
import { lock } from "./session/lock.ts";

/** Esc pressed again within this time is pressed twice. */
const DOUBLE_PRESS_MS = 600;
/** What the page tells the app: that Esc was pressed, and whether twice. */
const ESCAPE_EVENT = "escape";
export const BLANK_ATTRIBUTE = "startled";

let isShown = false;
const listeners = new Set<() => void>();

function setShown(to: boolean): void {
  isShown = to;
  for (const listener of listeners) listener();
}

/** The plain page in front of the screen. It stays up whatever the screen behind it comes to. */
export const privacyScreen = {
  show: () => setShown(true),
  /** Hides the screen by hand, as the crossed eye in the header does: with a PIN, the app is locked behind it. */
  showAndLock(): void {
    setShown(true);
    lock.lock();
  },
  hide: () => setShown(false),
  /** Hears of Esc from now on, and of what was pressed before the app ran. The page is blank until the notes have come. */
  startListening(): void {
    addEventListener(ESCAPE_EVENT, (event) => {
      event.preventDefault();
      if (!(event as CustomEvent<boolean>).detail) return;
      if (!isShown) document.documentElement.dataset[BLANK_ATTRIBUTE] = "";
      privacyScreen.showAndLock();
    });
    if (BLANK_ATTRIBUTE in document.documentElement.dataset) privacyScreen.showAndLock();
  },
  /** The notes are there: a page that was blank until then need not be so any more. */
  markRendered(): void {
    delete document.documentElement.dataset[BLANK_ATTRIBUTE];
  },
  isShown: () => isShown,
};

export function useIsPrivacyScreenShown(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    privacyScreen.isShown,
    () => false,
  );
}

/**
 * Watches for Esc pressed twice while the page is still read: built pages show long before the app runs. Until it does,
 * and can show the notes, the page is blank.
 */
export const privacyScreenScript = `{
  let last = -Infinity;
  addEventListener("pointerdown", () => (last = -Infinity), { capture: true });
  addEventListener("keydown", (event) => {
    // While a word is being composed, Esc belongs to the input method.
    if (event.repeat || event.isComposing) return;
    const isEscape = event.key === "Escape";
    const isTwice = isEscape && event.timeStamp - last < ${DOUBLE_PRESS_MS};
    // With another key or a press in between, as when one dialog is closed and the next opened, it is not pressed twice.
    last = isEscape ? event.timeStamp : -Infinity;
    if (!isEscape || !dispatchEvent(new CustomEvent("${ESCAPE_EVENT}", { cancelable: true, detail: isTwice }))) return;
    event.preventDefault(); // the browser would stop loading the app
    if (isTwice) document.documentElement.dataset.${BLANK_ATTRIBUTE} = "";
  }, { capture: true });
}`;
