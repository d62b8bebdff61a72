import { randomUUID } from "node:crypto";
import type { AppContext } from "../platform/context.ts";
import { insertEntry, readEntries } from "./operator-log.sql.ts";

/** Logs an operator's action before it runs, so that an interrupted action is logged too. */
export async function logOperatorAction(
  ctx: AppContext,
  action: string,
  member: { userId: string },
  reason: string | null,
): Promise<void> {
  const entry = { entry_id: randomUUID(), at: ctx.clock.now(), action, subject: member.userId, reason };
  await insertEntry(ctx.db, entry);
}

const MAX_LISTED = 200;

export function readOperatorActions(ctx: AppContext, userId: string | null) {
  return readEntries(ctx.db, userId, MAX_LISTED);
}
