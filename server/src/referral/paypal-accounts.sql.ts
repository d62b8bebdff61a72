import type { Db, Tx } from "../platform/db/database.ts";

export async function insertAccounts(tx: Tx, memberId: number, digests: readonly Buffer[]): Promise<void> {
  if (digests.length === 0) return;
  await tx
    .insertInto("paypal_accounts")
    .values(digests.map((account_digest) => ({ member_no: memberId, account_digest })))
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

export async function readAccounts(db: Db, memberId: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom("paypal_accounts")
    .select("account_digest")
    .where("member_no", "=", memberId)
    .execute();
  return rows.map(({ account_digest }) => account_digest);
}
