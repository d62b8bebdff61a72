import type { Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MailboxesTables } from "./tables.ts";

export type ChangeRow = Selectable<MailboxesTables["email_changes"]>;

export async function insertChange(
  tx: Tx,
  change: Pick<ChangeRow, "member_no" | "change_no" | "changed_on" | "encrypted_before" | "stop_until">,
): Promise<void> {
  await tx.insertInto("email_changes").values(change).execute();
}

export async function readChanges(db: Db, memberId: number): Promise<ChangeRow[]> {
  return db
    .selectFrom("email_changes")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("change_no")
    .execute();
}

export async function setChange(
  tx: Tx,
  { member_no, change_no, ...columns }: Omit<ChangeRow, "changed_on">,
): Promise<void> {
  await tx
    .updateTable("email_changes")
    .set(columns)
    .where("member_no", "=", member_no)
    .where("change_no", "=", change_no)
    .execute();
}

/** Members with a held address whose time is over. Reads every shard: for a job only. */
export async function readEnded(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("email_changes")
    .select("member_no")
    .distinct()
    .where("stop_until", "<=", now)
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Those that hold no address. Writes every shard: for a job only. */
export async function deleteChangesBefore(db: Db, day: string): Promise<void> {
  await db
    .deleteFrom("email_changes")
    .where("changed_on", "<=", day)
    .where("encrypted_before", "is", null)
    .where("encrypted_after", "is", null)
    .execute();
}

export async function deleteChangesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("email_changes").where("member_no", "=", memberId).execute();
}
