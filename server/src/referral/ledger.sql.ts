import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

/** In cents of USD. */
export interface Balances {
  readonly available: number;
  readonly received: number;
  readonly pending: number;
  /** The end of the last hold whose fee is not reversed. */
  readonly pendingUntil: Date | null;
}

export async function readBalances(db: Db, memberId: number, now: Date): Promise<Balances> {
  const { rows } = await sql<Balances>`
    select
      coalesce(sum(cents) filter (where available_at is null or available_at <= ${now}), 0)::int8 as available,
      coalesce(-sum(sent), 0)::int8 as received,
      coalesce(sum(cents) filter (where available_at > ${now}), 0)::int8 as pending,
      max(available_at) filter (where available_at > ${now} and cents > 0) as "pendingUntil"
    from (
      select e.available_at, sum(e.usd_cents) as cents,
        sum(e.usd_cents) filter (where t.state <> 'sending') as sent
      from ledger_entries e
      left join transfers t on t.member_no = e.member_no and t.transfer_id = e.transfer_id
      where e.member_no = ${memberId}
      group by e.order_id, e.available_at
    ) as fees_and_transfers`.execute(db);
  return rows[0]!;
}

/** Unique indexes allow one fee per order, and one outgoing and one returning entry per transfer. */
export async function insertEntry(
  tx: Tx,
  entry: Omit<Insertable<ReferralTables["ledger_entries"]>, "sequence_no">,
): Promise<void> {
  await tx
    .insertInto("ledger_entries")
    .values({ ...entry, sequence_no: sql`nextval('ledger_sequence')` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findFee(tx: Tx, memberId: number, orderId: string) {
  const entries = await tx
    .selectFrom("ledger_entries")
    .select(["usd_cents", "percentage", "available_at"])
    .where("member_no", "=", memberId)
    .where("order_id", "=", orderId)
    .execute();
  const fee = entries.find(({ percentage }) => percentage !== null);
  if (!fee) return null;
  const cents = entries.reduce((sum, { usd_cents }) => sum + usd_cents, 0);
  return { percentage: fee.percentage!, availableAt: fee.available_at!, cents };
}

/** NOTE: asks every shard, by index `ledger_entries_order`; only for refunds after the buyer's deletion. */
export async function findFeeReceiver(tx: Tx, orderId: string): Promise<number | null> {
  const row = await tx
    .selectFrom("ledger_entries")
    .select("member_no")
    .where("order_id", "=", orderId)
    .limit(1)
    .executeTakeFirst();
  return row?.member_no ?? null;
}

/** NOTE: asks every shard, by index `ledger_entries_order`; only at the buyer's deletion. */
export async function replaceOrderId(tx: Tx, orderId: string, to: string): Promise<void> {
  await tx.updateTable("ledger_entries").set({ order_id: to }).where("order_id", "=", orderId).execute();
}

export function readFees(db: Db, memberId: number) {
  return db
    .selectFrom("ledger_entries")
    .select(["usd_cents", "at"])
    .where("member_no", "=", memberId)
    .where("kind", "in", ["fee", "fee_reversed"])
    .orderBy("sequence_no")
    .execute();
}
