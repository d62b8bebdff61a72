import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/**
 * True once the page is alive in a browser. Pages are built before any server's settings are known: what depends on
 * those shows only then, so that a built page and its first moments are the same.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
