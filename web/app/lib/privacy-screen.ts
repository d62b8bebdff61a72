import { useSyncExternalStore } from "react";
import { lock } from "./lock.ts";

/** Esc pressed again within this time is pressed twice. */
const TWICE_MS = 600;
/** What the page tells the app: that Esc was pressed, and whether twice. */
const ESCAPE = "escape";
export const STARTLED = "startled";

let isUp = false;
const listeners = new Set<() => void>();

function change(to: boolean): void {
  isUp = to;
  for (const listener of listeners) listener();
}

/** The plain page in front of the screen. It stays up whatever the screen behind it comes to. */
export const cover = {
  putUp: () => change(true),
  /** Hides the screen by hand, as the crossed eye in the header does: with a PIN, the app is locked behind it. */
  hide(): void {
    change(true);
    lock.lock();
  },
  takeDown: () => change(false),
  /** Hears of Esc from now on, and of what was pressed before the app ran. The page is blank until the notes have come. */
  listen(): void {
    addEventListener(ESCAPE, (event) => {
      event.preventDefault();
      if (!(event as CustomEvent<boolean>).detail) return;
      if (!isUp) document.documentElement.dataset[STARTLED] = "";
      cover.hide();
    });
    if (STARTLED in document.documentElement.dataset) cover.hide();
  },
  /** The notes are there: a page that was blank until then need not be so any more. */
  hasCome(): void {
    delete document.documentElement.dataset[STARTLED];
  },
  isUp: () => isUp,
};

export function useIsCovered(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cover.isUp,
    () => false,
  );
}

/**
 * Watches for Esc pressed twice while the page is still read: built pages show long before the app runs. Until it does,
 * and can show the notes, the page is blank.
 */
export const coverAtOnce = `{
  let last = -Infinity;
  addEventListener("pointerdown", () => (last = -Infinity), { capture: true });
  addEventListener("keydown", (event) => {
    // While a word is being composed, Esc belongs to the input method.
    if (event.repeat || event.isComposing) return;
    const isEscape = event.key === "Escape";
    const isTwice = isEscape && event.timeStamp - last < ${TWICE_MS};
    // With another key or a press in between, as when one dialog is closed and the next opened, it is not pressed twice.
    last = isEscape ? event.timeStamp : -Infinity;
    if (!isEscape || !dispatchEvent(new CustomEvent("${ESCAPE}", { cancelable: true, detail: isTwice }))) return;
    event.preventDefault(); // the browser would stop loading the app
    if (isTwice) document.documentElement.dataset.${STARTLED} = "";
  }, { capture: true });
}`;
