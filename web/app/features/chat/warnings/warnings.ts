import { wordsOf, type ChatItem } from "../conversation/message-history.ts";
import { findWarning, type WarningKind } from "./find-warning.ts";

export { WarningSheet } from "./warning-sheet.tsx";

/** The first messages of a match, for which all rules apply. */
const FIRST_MESSAGES = 10;

/** In memory only: a verdict is neither stored nor sent. */
const known = new WeakMap<ChatItem, Partial<Record<"early" | "later", WarningKind | null>>>();

/** Returns the warnings by the ids of received messages. `isWhole` is true if the match has no messages before these. */
export function findWarnings(items: readonly ChatItem[], isWhole: boolean): ReadonlyMap<string, WarningKind> {
  const stored = items.filter(({ id, isTakenBack }) => id !== null && !isTakenBack);
  const warnings = new Map<string, WarningKind>();
  for (const [position, item] of stored.entries()) {
    const kind = item.isOwn ? null : warningOf(item, isWhole && position < FIRST_MESSAGES);
    if (kind) warnings.set(item.id!, kind);
  }
  return warnings;
}

function warningOf(item: ChatItem, isEarly: boolean): WarningKind | null {
  const time = isEarly ? "early" : "later";
  const verdicts = known.get(item) ?? {};
  const words = wordsOf(item);
  if (verdicts[time] === undefined)
    known.set(item, { ...verdicts, [time]: words === null ? null : findWarning(words, isEarly) });
  return known.get(item)![time] ?? null;
}
