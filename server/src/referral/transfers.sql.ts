import { type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

/** The class id of our advisory locks. */
const IMPORT_LOCK = 0x616c_6274;

export type TransferRow = Selectable<ReferralTables["transfers"]>;
export type TransferKey = Pick<TransferRow, "member_no" | "transfer_id">;

export async function insertTransfer(
  tx: Tx,
  transfer: Omit<TransferRow, "sequence_no">,
): Promise<TransferRow> {
  const sequence_no = sql<number>`nextval('transfer_sequence')`;
  return tx
    .insertInto("transfers")
    .values({ ...transfer, sequence_no })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findTransfer(db: Db, { member_no, transfer_id }: TransferKey) {
  const row = await db
    .selectFrom("transfers")
    .selectAll()
    .where("member_no", "=", member_no)
    .where("transfer_id", "=", transfer_id)
    .executeTakeFirst();
  return row ?? null;
}

/** NOTE: asks every shard, by index `transfers_id`; only for webhooks and the operator. */
export async function findTransferById(db: Db, transferId: string): Promise<TransferRow | null> {
  const row = await db
    .selectFrom("transfers")
    .selectAll()
    .where("transfer_id", "=", transferId)
    .executeTakeFirst();
  return row ?? null;
}

/** NOTE: lock the member first (members/locks.ts). */
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

export async function postponePoll(
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

/** Reads every shard, by index `transfers_next_poll_at`. */
export function findDueTransfers(db: Db, now: Date, limit: number | null): Promise<TransferRow[]> {
  return db
    .selectFrom("transfers")
    .selectAll()
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute();
}

export function readTransfers(db: Db, memberId: number): Promise<TransferRow[]> {
  return db
    .selectFrom("transfers")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .execute();
}

/** Reads every shard: for the operator only. */
export function readLatestTransfers(db: Db, limit: number): Promise<TransferRow[]> {
  return db.selectFrom("transfers").selectAll().orderBy("sequence_no", "desc").limit(limit).execute();
}

/** Serialises imports of a transfer. NOTE: taken before the member's lock. */
export async function lockImport(tx: Tx, transferId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::int4, hashtext(${transferId}))`.execute(tx);
}
