import { useSyncExternalStore } from "react";
import { getSessions, type OpenSession } from "@alcove/contract/accounts";
import { api } from "../lib/api/api.ts";

const NOBODY: readonly OpenSession[] = [];
const listeners = new Set<() => void>();
let devices = NOBODY;
let loads = 0;

function show(found: readonly OpenSession[]): void {
  devices = found.length === 0 ? NOBODY : found;
  for (const listener of listeners) listener();
}

/** Devices that logged in and that no known one has confirmed. The server lists them on known devices only. */
export const newDevices = {
  async load(): Promise<void> {
    const load = ++loads;
    const { sessions } = await api(getSessions, {});
    if (load === loads) show(sessions.filter((session) => session.new));
  },
  clear(): void {
    loads++;
    show(NOBODY);
  },
};

export function useNewDevices(): readonly OpenSession[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => devices,
    () => NOBODY,
  );
}
