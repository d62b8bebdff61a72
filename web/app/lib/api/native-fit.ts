import { OLDEST_WIRE_VERSION, WIRE_VERSION, type NativeSettings } from "@alcove/contract/native-app";

type Fit = "fits" | "app_too_old" | "server_too_old";

const listeners = new Set<() => void>();
let current: Fit = "fits";

/** Whether this native app and the server understand each other. */
export const fit = {
  get: () => current,
  check({ wire, oldest_wire }: NativeSettings): void {
    if (WIRE_VERSION < oldest_wire) current = "app_too_old";
    else current = wire < OLDEST_WIRE_VERSION ? "server_too_old" : "fits";
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
