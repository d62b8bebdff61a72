import { randomUUID } from "node:crypto";
import type { AppContext } from "../platform/context.ts";
import { insertEntry, readEntries } from "./operator-log.sql.ts";

/**
 * Notes what an operator is about to do to a member. Written before the act: an act that is cut off is in the log, one
 * that is not in the log never happened. When the member is deleted, by whomever, its entries lose name and reason.
 */
export async function logOperatorAction(
  ctx: AppContext,
  act: string,
  member: { userId: string },
  reason: string | null,
): Promise<void> {
  const entry = { entry_id: randomUUID(), at: ctx.clock.now(), act, subject: member.userId, reason };
  await insertEntry(ctx.db, entry);
}

const MAX_LISTED = 200;

/** What operators did, to one member or at all; the newest first. */
export function readOperatorActions(ctx: AppContext, userId: string | null) {
  return readEntries(ctx.db, userId, MAX_LISTED);
}
