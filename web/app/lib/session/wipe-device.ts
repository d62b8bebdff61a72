import { LANGUAGE_KEY } from "../language.ts";
import { clearSession } from "./session.ts";

/** Deletes everything that the app keeps on this device, except the language. For a deleted account. */
export function wipeDevice(): void {
  clearSession();
  for (const store of [sessionStorage, localStorage])
    for (const key of Object.keys(store)) if (key !== LANGUAGE_KEY) store.removeItem(key);
}
