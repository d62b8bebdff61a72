import type { StoredMessage } from "./conversation/outbox.ts";
import { TabRecord } from "./tab-record.ts";

const outbox = new TabRecord<readonly StoredMessage[]>("outbox");

/** Unsent texts of before a reload. */
export function loadOutbox(friendId: string): readonly StoredMessage[] {
  return outbox.get(friendId) ?? [];
}

export function clearOutbox(): void {
  outbox.clear();
}

export function storeOutbox(friendId: string, messages: readonly StoredMessage[]): void {
  if (messages.length > 0 || outbox.get(friendId))
    outbox.set(friendId, messages.length > 0 ? messages : null);
}
