import { useSyncExternalStore } from "react";
import { lock } from "./lock.ts";

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
