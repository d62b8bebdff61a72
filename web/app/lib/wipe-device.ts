import { LANGUAGE_PREFERENCE } from "./language.ts";
import { forgetSession } from "./session.ts";

/** Forgets on this device all that the app has kept, but for the language: its member is no more. */
export function forgetEverything(): void {
  forgetSession();
  for (const store of [sessionStorage, localStorage])
    for (const item of Object.keys(store)) if (item !== LANGUAGE_PREFERENCE) store.removeItem(item);
}
