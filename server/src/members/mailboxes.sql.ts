import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { DayCounters } from "./tables.ts";

/** Returns the count, this one included. Locks the mailbox until the commit. */
export async function addToMailbox(tx: Tx, mailbox_digest: Buffer, memberId: number): Promise<number> {
  const { member_nos } = await tx
    .insertInto("mailboxes")
    .values({ mailbox_digest, member_nos: [memberId] })
    .onConflict((conflict) =>
      conflict
        .column("mailbox_digest")
        .doUpdateSet({ member_nos: sql`array_append(mailboxes.member_nos, ${memberId}::int8)` }),
    )
    .returning("member_nos")
    .executeTakeFirstOrThrow();
  return member_nos.length;
}

export async function removeFromMailbox(tx: Tx, mailbox_digest: Buffer, memberId: number): Promise<void> {
  await tx
    .updateTable("mailboxes")
    .set({ member_nos: sql`array_remove(member_nos, ${memberId}::int8)` })
    .where("mailbox_digest", "=", mailbox_digest)
    .execute();
  await tx
    .deleteFrom("mailboxes")
    .where("mailbox_digest", "=", mailbox_digest)
    .where("member_nos", "=", sql<number[]>`'{}'::int8[]`)
    .execute();
}

export async function removeFromMailboxes(tx: Tx, memberId: number): Promise<void> {
  const affected = await tx
    .updateTable("mailboxes")
    .set({ member_nos: sql`array_remove(member_nos, ${memberId}::int8)` })
    .where(sql<boolean>`${memberId}::int8 = any(member_nos)`)
    .returning("mailbox_digest")
    .execute();
  for (const { mailbox_digest } of affected) await removeFromMailbox(tx, mailbox_digest, memberId);
}

export async function readMembers(db: Db, mailbox_digest: Buffer): Promise<number[]> {
  const row = await db
    .selectFrom("mailboxes")
    .select("member_nos")
    .where("mailbox_digest", "=", mailbox_digest)
    .executeTakeFirst();
  return row?.member_nos ?? [];
}

export async function insertFormerAccount(
  tx: Tx,
  account: { mailbox_digest: Buffer; account_id: string; deleted_on: string; counters: DayCounters },
): Promise<void> {
  const counters = JSON.stringify(account.counters);
  await tx
    .insertInto("former_accounts")
    .values({ ...account, counters })
    .execute();
}

export async function readFormerAccounts(
  db: Db,
  mailbox_digest: Buffer,
  since: string,
): Promise<DayCounters[]> {
  const found = await db
    .selectFrom("former_accounts")
    .select("counters")
    .where("mailbox_digest", "=", mailbox_digest)
    .where("deleted_on", ">", since)
    .execute();
  return found.map(({ counters }) => counters);
}

export async function insertFormerUserId(tx: Tx, user_id_digest: Buffer, deleted_on: string): Promise<void> {
  await tx
    .insertInto("former_user_ids")
    .values({ user_id_digest, deleted_on })
    .onConflict((conflict) => conflict.column("user_id_digest").doUpdateSet({ deleted_on }))
    .execute();
}

export async function isFormerUserId(db: Db, user_id_digest: Buffer, since: string): Promise<boolean> {
  const row = await db
    .selectFrom("former_user_ids")
    .select("deleted_on")
    .where("user_id_digest", "=", user_id_digest)
    .where("deleted_on", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteFormerUntil(db: Db, day: string): Promise<void> {
  await db.deleteFrom("former_accounts").where("deleted_on", "<=", day).execute();
  await db.deleteFrom("former_user_ids").where("deleted_on", "<=", day).execute();
}
