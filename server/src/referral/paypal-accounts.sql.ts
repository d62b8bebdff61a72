import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ReferralTables } from "./tables.ts";

export async function insertAccounts(
  tx: Tx,
  accounts: readonly Insertable<ReferralTables["paypal_accounts"]>[],
): Promise<void> {
  if (accounts.length === 0) return;
  await tx
    .insertInto("paypal_accounts")
    .values([...accounts])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function hasAccount(db: Db, memberId: number, digests: readonly Buffer[]): Promise<boolean> {
  if (digests.length === 0) return false;
  const row = await db
    .selectFrom("paypal_accounts")
    .select("member_no")
    .where("member_no", "=", memberId)
    .where("account_digest", "in", digests)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readMarks(db: Db, members: readonly number[]) {
  if (members.length === 0) return [];
  return db
    .selectFrom("paypal_accounts")
    .select(["member_no", "account_digest", "encrypted_mark"])
    .where("member_no", "=", sql<number>`any(${members}::int8[])`)
    .execute();
}

export async function readOwners(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("paypal_accounts")
    .select("member_no")
    .distinct()
    .where("member_no", ">", after)
    .orderBy("member_no")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}
