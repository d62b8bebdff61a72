import { lock } from "../../lib/lock.ts";
import { DRAFTS } from "../../lib/session.ts";

/** What was written and not sent yet, by friend. */
let drafts: Map<string, string> | null = null;

/**
 * The draft for a friend. Drafts live in the page and, so that a reload does not lose them, in the tab's storage; with a
 * PIN in the page alone, since the storage can be read without it (docs/decisions/0122).
 */
export function draftFor(friendId: string): string {
  return all().get(friendId) ?? "";
}

export function keepDraft(friendId: string, text: string): void {
  if (text === "") all().delete(friendId);
  else all().set(friendId, text);
  store();
}

/** At logout: nothing of one member is left for the next. */
export function forgetDrafts(): void {
  drafts = new Map();
  sessionStorage.removeItem(DRAFTS);
}

function all(): Map<string, string> {
  drafts ??= new Map(
    Object.entries(JSON.parse(sessionStorage.getItem(DRAFTS) ?? "{}") as Record<string, string>),
  );
  return drafts;
}

function store(): void {
  if (all().size === 0 || lock.getState().isSet) sessionStorage.removeItem(DRAFTS);
  else sessionStorage.setItem(DRAFTS, JSON.stringify(Object.fromEntries(all())));
}

// A PIN that is set while something is written takes it out of the storage.
lock.subscribe(() => {
  if (lock.getState().isSet) store();
});
