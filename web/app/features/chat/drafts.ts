import { lock } from "../../lib/session/lock.ts";
import { tabStore } from "../../device/stored.ts";

let draftsByFriendId: Map<string, string> | null = null;

/** A draft survives a reload, unless a PIN is set: the tab's storage is readable without it. */
export function draftOf(friendId: string): string {
  return loadDrafts().get(friendId) ?? "";
}

export function saveDraft(friendId: string, text: string): void {
  if (text === "") loadDrafts().delete(friendId);
  else loadDrafts().set(friendId, text);
  storeDrafts();
}

export function clearDrafts(): void {
  draftsByFriendId = new Map();
  tabStore.remove("drafts");
}

function loadDrafts(): Map<string, string> {
  draftsByFriendId ??= new Map(
    Object.entries(JSON.parse(tabStore.get("drafts") ?? "{}") as Record<string, string>),
  );
  return draftsByFriendId;
}

function storeDrafts(): void {
  const drafts = loadDrafts();
  if (drafts.size === 0 || lock.getState().isSet) tabStore.remove("drafts");
  else tabStore.set("drafts", JSON.stringify(Object.fromEntries(drafts)));
}

lock.subscribe(() => {
  if (lock.getState().isSet) storeDrafts();
});
