import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** Prerendered pages know no server settings: content that depends on them waits for hydration. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
