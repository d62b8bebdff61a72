import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether a page that was built ahead has come to life; before that a browser sends its forms by itself. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
