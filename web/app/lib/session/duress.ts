import { browserStore, tabStore } from "../../device/stored.ts";
import { forgetApp } from "../../device/worker.ts";
import { forgetLanguage } from "../texts/language.ts";
import { sendLogout } from "./end-session.ts";
import { clearSession } from "./session.ts";

/** In the tab's storage: the token that still has to end the session, then an empty text. */
const FLAG = "notes";
/** A connection may be back before its first request succeeds. */
const RETRY_MS = 5_000;

let showNotes = () => {};
let retry: ReturnType<typeof setTimeout> | undefined;

/** Whether this tab shows only the notes, until it is closed. */
export function isUnderDuress(): boolean {
  return tabStore.get(FLAG) !== null;
}

/** `show` replaces the app by the notes before it returns. Follows the other tabs. */
export function watchForDuress(show: () => void): void {
  showNotes = show;
  addEventListener("storage", ({ key, newValue }) => {
    if (key === FLAG && newValue !== null) void becomeNotes(newValue);
  });
  // The back-forward cache holds earlier pages of the tab.
  addEventListener("pageshow", ({ persisted }) => persisted && isUnderDuress() && show());
  addEventListener("online", () => void endSession());
  void endSession();
}

/** After the second PIN: shows the notes, empties the storage, and ends the session once the server can be reached. */
export async function endUnderDuress(logoutToken: string): Promise<void> {
  // The other tabs get an event.
  browserStore.set(FLAG, logoutToken);
  browserStore.remove(FLAG);
  await becomeNotes(logoutToken);
}

async function becomeNotes(logoutToken: string): Promise<void> {
  tabStore.set(FLAG, logoutToken);
  clearSession();
  showNotes();
  tabStore.removeAllExcept(FLAG);
  browserStore.removeAllExcept(null);
  forgetLanguage();
  await Promise.allSettled([endSession(), forgetApp(), deleteDatabases()]);
}

async function endSession(): Promise<void> {
  clearTimeout(retry);
  const logoutToken = tabStore.get(FLAG);
  if (!logoutToken) return;
  if (await sendLogout(logoutToken)) tabStore.set(FLAG, "");
  else retry = setTimeout(() => void endSession(), RETRY_MS);
}

/** The app has none. Old browsers cannot list those of others. */
async function deleteDatabases(): Promise<void> {
  const databases = (await indexedDB.databases?.()) ?? [];
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
}
