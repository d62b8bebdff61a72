import { useSyncExternalStore } from "react";
import { TabRecord } from "./tab-record.ts";

export interface Draft {
  readonly text: string;
  /** The message to quote. */
  readonly replyId: string | null;
  /** The friend's note to quote, in place of a message. */
  readonly noteId: string | null;
}

const EMPTY: Draft = { text: "", replyId: null, noteId: null };
const drafts = new TabRecord<Draft>("drafts");

export function draftOf(friendId: string): Draft {
  return drafts.get(friendId) ?? EMPTY;
}

export function changeDraft(friendId: string, changes: Partial<Draft>): void {
  const draft = { ...draftOf(friendId), ...changes };
  const isEmpty = draft.text === "" && draft.replyId === null && draft.noteId === null;
  drafts.set(friendId, isEmpty ? null : draft);
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
