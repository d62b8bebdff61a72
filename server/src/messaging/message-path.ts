import type { AppContext } from "../platform/context.ts";
import type { MessageSent } from "./events.ts";
import { EventReorder } from "./group-commit/event-reorder.ts";
import { groupCommitWriter } from "./group-commit/group-commit.ts";
import { plainMessageWriter, type MessageWriter } from "./message-writer.ts";

// Only this file imports `group-commit/`, whose README explains how to remove it.

export function createMessageWriter(ctx: AppContext): MessageWriter {
  return groupCommitWriter(ctx, plainMessageWriter(ctx));
}

export function inMessageOrder(deliver: (event: MessageSent) => void): (event: MessageSent) => void {
  const reorder = new EventReorder(deliver);
  return (event) => reorder.add(event);
}
