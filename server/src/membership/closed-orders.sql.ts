import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MembershipTables } from "./tables.ts";

export type ClosedRow = Selectable<MembershipTables["closed_orders"]>;

export async function insertClosed(
  tx: Tx,
  order: Insertable<MembershipTables["closed_orders"]>,
): Promise<void> {
  await tx.insertInto("closed_orders").values(order).execute();
}

export async function findClosed(db: Db, bookId: string): Promise<ClosedRow | null> {
  const row = await db
    .selectFrom("closed_orders")
    .selectAll()
    .where("book_id", "=", bookId)
    .executeTakeFirst();
  return row ?? null;
}

export async function lockClosed(tx: Tx, bookId: string): Promise<ClosedRow | null> {
  const row = await tx
    .selectFrom("closed_orders")
    .selectAll()
    .where("book_id", "=", bookId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateClosed(
  db: Db,
  bookId: string,
  change: Updateable<MembershipTables["closed_orders"]>,
): Promise<void> {
  await db.updateTable("closed_orders").set(change).where("book_id", "=", bookId).execute();
}

/** Puts off the next look at an order of the books, if it was due. */
export async function putOffClosed(db: Db, bookId: string, now: Date, to: Date): Promise<void> {
  await db
    .updateTable("closed_orders")
    .set({ look_at: to })
    .where("book_id", "=", bookId)
    .where("look_at", "<=", now)
    .execute();
}

/** For the job alone: over all books, by `closed_orders_look_at`. */
export async function readDueClosed(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("closed_orders")
    .select("book_id")
    .where("look_at", "<=", now)
    .orderBy("look_at")
    .limit(limit)
    .execute();
  return rows.map(({ book_id }) => book_id);
}
