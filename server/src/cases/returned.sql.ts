import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { CasesTables } from "./tables.ts";

export async function insertPictures(
  tx: Tx,
  pictures: Insertable<CasesTables["suspended_pictures"]>[],
): Promise<void> {
  if (pictures.length === 0) return;
  await tx
    .insertInto("suspended_pictures")
    .values(pictures)
    .onConflict((conflict) => conflict.columns(["member_no", "media_id"]).doNothing())
    .execute();
}

export async function insertMark(tx: Tx, mark: CasesTables["suspended_mailboxes"]): Promise<void> {
  await tx
    .insertInto("suspended_mailboxes")
    .values(mark)
    .onConflict((conflict) => conflict.columns(["mailbox_digest", "member_no"]).doNothing())
    .execute();
}

/** Compares with all suspended members, of whom there are few: for a job only. */
export async function findSimilar(
  db: Db,
  { memberId, hash, maxDifference }: { memberId: number; hash: string; maxDifference: number },
): Promise<number[]> {
  const { rows } = await sql<{ member_no: number }>`
    select distinct member_no from suspended_pictures
    where member_no <> ${memberId} and bit_count(hash # ${hash}::bit(128)) <= ${maxDifference}
    order by member_no`.execute(db);
  return rows.map(({ member_no }) => member_no);
}

export async function findMarked(db: Db, mailbox_digest: Buffer): Promise<number[]> {
  const rows = await db
    .selectFrom("suspended_mailboxes")
    .select("member_no")
    .where("mailbox_digest", "=", mailbox_digest)
    .orderBy("member_no")
    .execute();
  return rows.map(({ member_no }) => member_no);
}

export async function insertAccounts(
  tx: Tx,
  accounts: readonly CasesTables["suspended_paypal"][],
): Promise<void> {
  if (accounts.length === 0) return;
  await tx
    .insertInto("suspended_paypal")
    .values([...accounts])
    .onConflict((conflict) => conflict.columns(["account_digest", "member_no"]).doNothing())
    .execute();
}

export async function findWithAccount(db: Db, digests: readonly Buffer[]): Promise<number[]> {
  if (digests.length === 0) return [];
  const found = await db
    .selectFrom("suspended_paypal")
    .select("member_no")
    .distinct()
    .where("account_digest", "in", digests)
    .orderBy("member_no")
    .execute();
  return found.map(({ member_no }) => member_no);
}

export async function readPictures(db: Db, memberId: number): Promise<string[]> {
  const found = await db
    .selectFrom("suspended_pictures")
    .select(sql<string>`hash::text`.as("hash"))
    .where("member_no", "=", memberId)
    .execute();
  return found.map(({ hash }) => hash);
}

const TABLES = ["suspended_pictures", "suspended_mailboxes", "suspended_paypal"] as const;

/** Scans the tables: for a job only. */
export async function deleteMarksBefore(db: Db, day: string): Promise<void> {
  for (const table of TABLES) await db.deleteFrom(table).where("suspended_on", "<", day).execute();
}

/** Scans the tables: for a job only. */
export async function readMarked(db: Db): Promise<number[]> {
  const members = new Set<number>();
  for (const table of TABLES)
    for (const { member_no } of await db.selectFrom(table).select("member_no").distinct().execute())
      members.add(member_no);
  return [...members];
}

export async function deleteMarksOf(db: Db | Tx, memberId: number): Promise<void> {
  for (const table of TABLES) await db.deleteFrom(table).where("member_no", "=", memberId).execute();
}
