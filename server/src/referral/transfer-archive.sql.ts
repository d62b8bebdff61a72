import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { keyIdIn } from "../platform/keys/data-keys.sql.ts";
import type { ReferralTables } from "./tables.ts";

export type ArchivedTransferRow = Selectable<ReferralTables["closed_transfers"]>;

export async function insertArchived(
  tx: Tx,
  closed: Insertable<ReferralTables["closed_transfers"]>[],
): Promise<void> {
  await tx.insertInto("closed_transfers").values(closed).execute();
}

/** Reads every shard, by index `closed_transfers_next_poll_at`. */
export function findDueArchived(db: Db, now: Date, limit: number | null): Promise<ArchivedTransferRow[]> {
  return db
    .selectFrom("closed_transfers")
    .selectAll()
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute();
}

export function archiveKeys(db: Db | Tx) {
  return db.selectFrom("closed_transfers").select(keyIdIn("encrypted_email").as("key_id"));
}

/** Scans the archive: for a restore only. */
export async function clearEmailsWithoutKey(tx: Tx): Promise<void> {
  await tx
    .updateTable("closed_transfers")
    .set({ encrypted_email: null, next_poll_at: null })
    .where("encrypted_email", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("data_keys").where("key_id", "=", keyIdIn("encrypted_email")))),
    )
    .execute();
}

export async function updateUnsent(
  db: Db | Tx,
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

/** Scans the archive: for the operator only. */
export async function isArchived(
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
