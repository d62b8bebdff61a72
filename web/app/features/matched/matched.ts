import { useSyncExternalStore } from "react";
import type { Party } from "@alcove/contract/users";

let waiting: readonly Party[] = [];
const told = new Set<string>();
const listeners = new Set<() => void>();

function change(to: readonly Party[]): void {
  waiting = to;
  for (const listener of listeners) listener();
}

/** The matches to be told of, one after the other. */
export const matched = {
  /** Tells of a match once, whether the like's answer or the live event is first. */
  tell(party: Party): void {
    if (told.has(party.user_id)) return;
    told.add(party.user_id);
    change([...waiting, party]);
  },
  dismiss: () => change(waiting.slice(1)),
  /** At logout: nothing of one member is shown to the next. */
  forget(): void {
    told.clear();
    change([]);
  },
};

export function useMatched(): Party | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting[0] ?? null,
    () => null,
  );
}
