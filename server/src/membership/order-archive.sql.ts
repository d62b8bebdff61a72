import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MembershipTables } from "./tables.ts";

export type ArchivedOrderRow = Selectable<MembershipTables["closed_orders"]>;

export async function insertArchived(
  tx: Tx,
  order: Insertable<MembershipTables["closed_orders"]>,
): Promise<void> {
  await tx.insertInto("closed_orders").values(order).execute();
}

export async function findArchived(db: Db, archiveId: string): Promise<ArchivedOrderRow | null> {
  const row = await db
    .selectFrom("closed_orders")
    .selectAll()
    .where("archive_id", "=", archiveId)
    .executeTakeFirst();
  return row ?? null;
}

export async function lockArchived(tx: Tx, archiveId: string): Promise<ArchivedOrderRow | null> {
  const row = await tx
    .selectFrom("closed_orders")
    .selectAll()
    .where("archive_id", "=", archiveId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateArchived(
  db: Db,
  archiveId: string,
  change: Updateable<MembershipTables["closed_orders"]>,
): Promise<void> {
  await db.updateTable("closed_orders").set(change).where("archive_id", "=", archiveId).execute();
}

export async function postponeArchivedPoll(db: Db, archiveId: string, now: Date, to: Date): Promise<void> {
  await db
    .updateTable("closed_orders")
    .set({ next_poll_at: to })
    .where("archive_id", "=", archiveId)
    .where("next_poll_at", "<=", now)
    .execute();
}

/** Reads every shard, by index `closed_orders_next_poll_at`. */
export async function findDueArchived(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("closed_orders")
    .select("archive_id")
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .limit(limit)
    .execute();
  return rows.map(({ archive_id }) => archive_id);
}

/** Reads every shard: for the operator only. */
export async function readArchivedToPayBack(db: Db): Promise<ArchivedOrderRow[]> {
  return db
    .selectFrom("closed_orders")
    .selectAll()
    .where("kind", "=", "bank")
    .where("withdrawal_state", "=", "pending")
    .orderBy("paid_on")
    .execute();
}
