import type { Db } from "../platform/db/database.ts";

/** Whether a session still lives: one key look-up. */
export async function isSessionAlive(db: Db, session: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("session_id")
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}
