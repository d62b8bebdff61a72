import type { Db, Tx } from "../../platform/db/database.ts";
import type { SessionKey } from "./tokens.ts";

export async function insertTicket(
  tx: Tx,
  ticket: { ticket_digest: Buffer; member_no: number; session_id: string; expires_at: Date },
): Promise<void> {
  await tx.insertInto("socket_tickets").values(ticket).execute();
}

/** Only one of several parallel calls gets the session. */
export async function useTicket(db: Db, ticket_digest: Buffer, now: Date): Promise<SessionKey | null> {
  const row = await db
    .deleteFrom("socket_tickets")
    .where("ticket_digest", "=", ticket_digest)
    .where("expires_at", ">", now)
    .returning(["member_no as memberId", "session_id as session"])
    .executeTakeFirst();
  return row ?? null;
}

/** Writes every shard. */
export async function deleteTicketsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("socket_tickets").where("member_no", "=", memberId).execute();
}

export async function deleteExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("socket_tickets").where("expires_at", "<=", now).execute();
}
