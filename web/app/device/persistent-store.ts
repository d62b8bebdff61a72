import type { Store } from "./stored.ts";

/** The native app has a store of its own (`native/persistent-store.ts`). */
export const persistentStore: Store | null = null;
