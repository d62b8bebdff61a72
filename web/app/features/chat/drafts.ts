import { useSyncExternalStore } from "react";
import { TabRecord } from "./tab-record.ts";

export interface Draft {
  readonly text: string;
  /** The message to quote. */
  readonly replyId: string | null;
}

const EMPTY: Draft = { text: "", replyId: null };
const drafts = new TabRecord<Draft>("drafts");

export function draftOf(friendId: string): Draft {
  return drafts.get(friendId) ?? EMPTY;
}

export function changeDraft(friendId: string, changes: Partial<Draft>): void {
  const draft = { ...draftOf(friendId), ...changes };
  drafts.set(friendId, draft.text === "" && draft.replyId === null ? null : draft);
}

export function clearDrafts(): void {
  drafts.clear();
}

export function useDraft(friendId: string): Draft {
  return useSyncExternalStore(
    drafts.subscribe,
    () => draftOf(friendId),
    () => EMPTY,
  );
}
