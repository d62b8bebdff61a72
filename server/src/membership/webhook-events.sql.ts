import type { Db } from "../platform/db/database.ts";

export async function isProcessed(db: Db, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom("webhook_events")
    .select("event_id")
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false for a processed event. */
export async function insertEvent(db: Db, event_id: string, at: Date): Promise<boolean> {
  const row = await db
    .insertInto("webhook_events")
    .values({ event_id, at })
    .onConflict((conflict) => conflict.column("event_id").doNothing())
    .returning("event_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteEventsBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("webhook_events").where("at", "<", at).execute();
}
