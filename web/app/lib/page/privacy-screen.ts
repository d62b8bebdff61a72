import { useSyncExternalStore } from "react";
import { readScript } from "../../device/stored.ts";
import { lock } from "../session/lock.ts";

const DOUBLE_PRESS_MS = 600;
/** A custom event; its detail is whether Esc was pressed twice. */
const ESCAPE_EVENT = "escape";
export const BLANK_ATTRIBUTE = "blank";

let isShown = false;
const listeners = new Set<() => void>();

function setShown(value: boolean): void {
  isShown = value;
  for (const listener of listeners) listener();
}

export const privacyScreen = {
  show: () => setShown(true),
  /** With a PIN, the app is locked behind the privacy screen. */
  showAndLock(): void {
    setShown(true);
    lock.lock();
  },
  hide: () => setShown(false),
  /**
   * Handles Esc, also an earlier one: twice shows or hides the privacy screen. More presses in a hurry do nothing, so that they
   * do not uncover the page. The page is blank until the privacy screen is rendered.
   */
  startListening(): void {
    let isDone = BLANK_ATTRIBUTE in document.documentElement.dataset;
    if (isDone) privacyScreen.showAndLock();
    addEventListener(ESCAPE_EVENT, (event) => {
      event.preventDefault();
      const isTwice = (event as CustomEvent<boolean>).detail;
      if (isTwice && !isDone) toggle();
      isDone = isTwice;
    });
  },
  markRendered(): void {
    delete document.documentElement.dataset[BLANK_ATTRIBUTE];
  },
  isShown: () => isShown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useIsPrivacyScreenShown(): boolean {
  return useSyncExternalStore(privacyScreen.subscribe, privacyScreen.isShown, () => false);
}

function toggle(): void {
  if (isShown) {
    setTimeout(privacyScreen.hide); // after this press, which would close a dialog that appears
    return;
  }
  document.documentElement.dataset[BLANK_ATTRIBUTE] = "";
  privacyScreen.showAndLock();
}

/** Watches for Esc pressed twice, also before hydration. After the second PIN, the page stays blank until the notes are rendered. */
export const privacyScreenScript = () => `{
  try {
    if (${readScript("notes", "tab")} !== null) document.documentElement.dataset.${BLANK_ATTRIBUTE} = "";
  } catch {}
  let last = -Infinity;
  addEventListener("pointerdown", () => (last = -Infinity), { capture: true });
  addEventListener("keydown", (event) => {
    // During a composition, Esc belongs to the input method.
    if (event.repeat || event.isComposing || event.keyCode === 229) return;
    const isEscape = event.key === "Escape";
    const isTwice = isEscape && event.timeStamp - last < ${DOUBLE_PRESS_MS};
    // Another key or press in between resets it, as when a dialog closes and the next one opens.
    last = isEscape ? event.timeStamp : -Infinity;
    if (!isEscape || !dispatchEvent(new CustomEvent("${ESCAPE_EVENT}", { cancelable: true, detail: isTwice }))) return;
    event.preventDefault(); // it would stop the page load
    if (isTwice) document.documentElement.dataset.${BLANK_ATTRIBUTE} = "";
  }, { capture: true });
}`;
