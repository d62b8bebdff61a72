import { bothStores } from "../../device/stored.ts";
import { clearSession } from "./session.ts";

/** Deletes everything that the app keeps on this device, except the language. For a deleted account. */
export function wipeDevice(): void {
  clearSession();
  for (const store of bothStores) store.removeAllExcept("language");
}
