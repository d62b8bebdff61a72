import { lock } from "../../lib/session/lock.ts";
import { DRAFTS_KEY } from "../../lib/session/session.ts";

/** What was written and not sent yet, by friend. */
let drafts: Map<string, string> | null = null;

/**
 * The draft for a friend. Drafts live in the page and, so that a reload does not lose them, in the tab's storage; with a
 * PIN in the page alone, since the storage can be read without it (docs/decisions/0122).
 */
export function draftOf(friendId: string): string {
  return loadDrafts().get(friendId) ?? "";
}

export function saveDraft(friendId: string, text: string): void {
  if (text === "") loadDrafts().delete(friendId);
  else loadDrafts().set(friendId, text);
  storeDrafts();
}

/** At logout: nothing of one member is left for the next. */
export function clearDrafts(): void {
  drafts = new Map();
  sessionStorage.removeItem(DRAFTS_KEY);
}

function loadDrafts(): Map<string, string> {
  drafts ??= new Map(
    Object.entries(JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? "{}") as Record<string, string>),
  );
  return drafts;
}

function storeDrafts(): void {
  if (loadDrafts().size === 0 || lock.getState().isSet) sessionStorage.removeItem(DRAFTS_KEY);
  else sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(Object.fromEntries(loadDrafts())));
}

// A PIN that is set while something is written takes it out of the storage.
lock.subscribe(() => {
  if (lock.getState().isSet) storeDrafts();
});
