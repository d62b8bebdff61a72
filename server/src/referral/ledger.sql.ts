import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

/** In cents of USD. */
export interface Sums {
  readonly available: number;
  readonly received: number;
}

/**
 * What a member can transfer, and what PayPal has accepted for it: a range of the key. What is on its way to PayPal is
 * neither.
 */
export async function readSums(db: Db, memberId: number): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select
      coalesce(sum(e.usd_cents), 0)::int8 as available,
      coalesce(-sum(e.usd_cents) filter (where t.state <> 'sending'), 0)::int8 as received
    from ledger_entries e
    left join transfers t on t.member_no = e.member_no and t.transfer_id = e.transfer_id
    where e.member_no = ${memberId}`.execute(db);
  return rows[0]!;
}

/** Writes an entry, unless the same one stands there: one fee an order, one way out and one back a transfer. */
export async function insertEntry(
  tx: Tx,
  entry: Insertable<ReferralTables["ledger_entries"]>,
): Promise<void> {
  await tx
    .insertInto("ledger_entries")
    .values(entry)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What is left of the fee for an order, and at which percentage it was reckoned; null when there was none. */
export async function findFee(tx: Tx, memberId: number, orderId: string) {
  const entries = await tx
    .selectFrom("ledger_entries")
    .select(["usd_cents", "percentage"])
    .where("member_no", "=", memberId)
    .where("order_id", "=", orderId)
    .execute();
  const percentage = entries.find((entry) => entry.percentage !== null)?.percentage;
  if (percentage === undefined || percentage === null) return null;
  return { percentage, cents: entries.reduce((sum, { usd_cents }) => sum + usd_cents, 0) };
}

/** Who has the fee for an order. By `ledger_entries_order`, asking every shard: for what is given back after its buyer has left. */
export async function findEarner(tx: Tx, orderId: string): Promise<number | null> {
  const row = await tx
    .selectFrom("ledger_entries")
    .select("member_no")
    .where("order_id", "=", orderId)
    .limit(1)
    .executeTakeFirst();
  return row?.member_no ?? null;
}

/** Names an order anew in whoever's ledger. By `ledger_entries_order`, asking every shard: its buyer is leaving. */
export async function renameOrder(tx: Tx, orderId: string, to: string): Promise<void> {
  await tx.updateTable("ledger_entries").set({ order_id: to }).where("order_id", "=", orderId).execute();
}

/** All entries of a member in the order of their times: a range of the key. */
export function readEntries(db: Db, memberId: number) {
  return db
    .selectFrom("ledger_entries")
    .select(["kind", "usd_cents", "at"])
    .where("member_no", "=", memberId)
    .orderBy("at")
    .orderBy("entry_id")
    .execute();
}
