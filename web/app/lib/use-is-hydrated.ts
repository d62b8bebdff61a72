import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** Prerendered pages know no server's settings. Content that depends on them must wait for hydration. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
