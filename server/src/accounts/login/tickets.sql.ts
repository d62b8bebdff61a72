import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

export async function insertTicket(
  tx: Tx,
  ticket: { ticket_digest: Buffer; session_id: string; expires_at: Date },
): Promise<void> {
  await tx.insertInto("socket_tickets").values(ticket).execute();
}

/** Only one of several parallel calls gets the session. */
export async function useTicket(db: Db, ticket_digest: Buffer, now: Date): Promise<string | null> {
  const row = await db
    .deleteFrom("socket_tickets")
    .where("ticket_digest", "=", ticket_digest)
    .where("expires_at", ">", now)
    .returning("session_id")
    .executeTakeFirst();
  return row?.session_id ?? null;
}

/** Writes every shard. */
export async function deleteTicketsOf(tx: Tx, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return;
  await tx
    .deleteFrom("socket_tickets")
    .where("session_id", "=", sql<string>`any(${sessions}::uuid[])`)
    .execute();
}

export async function deleteExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("socket_tickets").where("expires_at", "<=", now).execute();
}
