import type { KeptMessage } from "./conversation/outbox.ts";
import { TabRecord } from "./tab-record.ts";

const kept = new TabRecord<readonly KeptMessage[]>("outbox");

/** Unsent texts of before a reload. */
export function loadKept(friendId: string): readonly KeptMessage[] {
  return kept.get(friendId) ?? [];
}

export function clearKept(): void {
  kept.clear();
}

export function keep(friendId: string, messages: readonly KeptMessage[]): void {
  if (messages.length > 0 || kept.get(friendId)) kept.set(friendId, messages.length > 0 ? messages : null);
}
