import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

export type ClosedTransferRow = Selectable<ReferralTables["closed_transfers"]>;

export async function insertClosed(
  tx: Tx,
  closed: Insertable<ReferralTables["closed_transfers"]>[],
): Promise<void> {
  await tx.insertInto("closed_transfers").values(closed).execute();
}

/** Those of which PayPal is to be told again, the longest due first, by `closed_transfers_next_poll_at`. For the job alone: over all books. */
export function readDueClosed(db: Db, now: Date, limit: number | null): Promise<ClosedTransferRow[]> {
  return db
    .selectFrom("closed_transfers")
    .selectAll()
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute();
}

/** Changes one of which it is still not known whether PayPal has it. */
export async function updateLeft(
  db: Db,
  archiveId: string,
  change: Updateable<ReferralTables["closed_transfers"]>,
): Promise<void> {
  await db
    .updateTable("closed_transfers")
    .set(change)
    .where("archive_id", "=", archiveId)
    .where("state", "=", "sending")
    .execute();
}

/** Whether a payout is in the closed books, under either of its names. Reads all of them: for the operator alone. */
export async function isClosed(
  db: Db,
  { transfer_id, payout_batch_id }: { transfer_id: string; payout_batch_id: string | null },
): Promise<boolean> {
  const row = await db
    .selectFrom("closed_transfers")
    .select("archive_id")
    .where((is) => is.or([is("transfer_id", "=", transfer_id), is("payout_batch_id", "=", payout_batch_id)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
