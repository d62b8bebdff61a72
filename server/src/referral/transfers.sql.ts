import { type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

/** The first half of our advisory locks: nothing else in this database takes one with it. */
const RECORDING = 0x616c_6274;

export type TransferRow = Selectable<ReferralTables["transfers"]>;
export type TransferKey = Pick<TransferRow, "member_no" | "transfer_id">;

export async function insertTransfer(tx: Tx, transfer: ReferralTables["transfers"]): Promise<void> {
  await tx.insertInto("transfers").values(transfer).execute();
}

/** One look-up by primary key. */
export async function findTransfer(db: Db, { member_no, transfer_id }: TransferKey) {
  const row = await db
    .selectFrom("transfers")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("transfer_id", "=", transfer_id)
    .executeTakeFirst();
  return row ?? null;
}

/** By `transfers_id`, asking every shard: for what PayPal tells, and for the operator. */
export async function findById(db: Db, transferId: string): Promise<TransferRow | null> {
  const row = await db
    .selectFrom("transfers")
    .selectAll()
    .where("transfer_id", "=", transferId)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the transfer. The row of its member comes before it. */
export async function lockTransfer(tx: Tx, { member_no, transfer_id }: TransferKey) {
  const row = await tx
    .selectFrom("transfers")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("transfer_id", "=", transfer_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateTransfer(
  db: Db,
  { member_no, transfer_id }: TransferKey,
  change: Updateable<ReferralTables["transfers"]>,
): Promise<void> {
  await db
    .updateTable("transfers")
    .set(change)
    .where("member_no", "=", member_no)
    .where("transfer_id", "=", transfer_id)
    .execute();
}

/** Puts off the next look at a transfer, if it was due. */
export async function putOff(
  db: Db,
  { member_no, transfer_id }: TransferKey,
  now: Date,
  to: Date | null,
): Promise<void> {
  await db
    .updateTable("transfers")
    .set({ next_poll_at: to })
    .where("member_no", "=", member_no)
    .where("transfer_id", "=", transfer_id)
    .where("next_poll_at", "<=", now)
    .execute();
}

/** The transfers that are to be looked at, the longest due first, by `transfers_next_poll_at`. For the job alone: over all members. */
export function readDue(db: Db, now: Date, limit: number | null): Promise<TransferRow[]> {
  return db
    .selectFrom("transfers")
    .selectAll()
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute();
}

/** A member's transfers, the newest first: a range of the key. */
export function readTransfers(db: Db, memberId: number): Promise<TransferRow[]> {
  return db
    .selectFrom("transfers")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("transfer_id", "desc")
    .execute();
}

/** The newest of all members. For the operator alone. */
export function readNewest(db: Db, limit: number): Promise<TransferRow[]> {
  return db
    .selectFrom("transfers")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("transfer_id", "desc")
    .limit(limit)
    .execute();
}

/** Lets one record of a transfer wait for another, whomever they name. Before the member's row. */
export async function lockRecording(tx: Tx, transferId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RECORDING}::int4, hashtext(${transferId}))`.execute(tx);
}
