import { useSyncExternalStore } from "react";

let isUp = false;
const listeners = new Set<() => void>();

function change(to: boolean): void {
  isUp = to;
  for (const listener of listeners) listener();
}

/** The plain page in front of the screen. It stays up whatever the screen behind it comes to. */
export const cover = {
  /** Hides the screen, as the crossed eye in the header does. */
  putUp: () => change(true),
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
