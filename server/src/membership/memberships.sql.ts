import type { Insertable, Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MembershipTables } from "./tables.ts";

export async function findMembership(db: Db, memberId: number): Promise<StoredMembership | null> {
  const row = await db
    .selectFrom("memberships")
    .select(["paid_until_hour", "encrypted_paid_until"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? null;
}

export type StoredMembership = Pick<
  Selectable<MembershipTables["memberships"]>,
  "paid_until_hour" | "encrypted_paid_until"
>;

export async function insertGrant(tx: Tx, grant: Insertable<MembershipTables["grants"]>): Promise<boolean> {
  const row = await tx
    .insertInto("grants")
    .values(grant)
    .onConflict((conflict) => conflict.columns(["member_no", "grant_id"]).doNothing())
    .returning("grant_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function setRevokedMonths(
  tx: Tx,
  memberId: number,
  grantId: string,
  months: number,
): Promise<void> {
  await tx
    .updateTable("grants")
    .set({ revoked_months: months })
    .where("member_no", "=", memberId)
    .where("grant_id", "=", grantId)
    .execute();
}

export async function setEndedAt(
  tx: Tx,
  memberId: number,
  grantId: string,
  encrypted_ended_at: Buffer,
): Promise<void> {
  await tx
    .updateTable("grants")
    .set({ encrypted_ended_at })
    .where("member_no", "=", memberId)
    .where("grant_id", "=", grantId)
    .execute();
}

export async function saveMembership(
  tx: Tx,
  membership: Insertable<MembershipTables["memberships"]>,
): Promise<void> {
  const { member_no: _, ...changed } = membership;
  await tx
    .insertInto("memberships")
    .values(membership)
    .onConflict((conflict) => conflict.column("member_no").doUpdateSet(changed))
    .execute();
}

export async function deleteMembership(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("memberships").where("member_no", "=", memberId).execute();
}

/** Reads every shard, by index `memberships_remind_at`. */
export async function findDueReminders(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("memberships")
    .select("member_no")
    .where("remind_at", "<=", now)
    .orderBy("remind_at")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Returns the end of the membership to one caller only. */
export async function takeReminder(tx: Tx, memberId: number, now: Date): Promise<Date | null> {
  const row = await tx
    .updateTable("memberships")
    .set({ remind_at: null })
    .where("member_no", "=", memberId)
    .where("remind_at", "<=", now)
    .returning("paid_until_hour")
    .executeTakeFirst();
  return row?.paid_until_hour ?? null;
}

export async function postponeReminder(tx: Tx, memberId: number, to: Date): Promise<void> {
  await tx.updateTable("memberships").set({ remind_at: to }).where("member_no", "=", memberId).execute();
}

/** Reads every shard: for a restored database only. */
export async function clearDueReminders(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable("memberships").set({ remind_at: null }).where("remind_at", "<=", now).execute();
}

export function readGrants(db: Db, memberId: number) {
  return db
    .selectFrom("grants")
    .select([
      "grant_id",
      "year",
      "month",
      "source",
      "encrypted_at",
      "encrypted_ended_at",
      "place",
      "revoked_months",
      "coupon_id",
    ])
    .where("member_no", "=", memberId)
    .orderBy("place")
    .orderBy("grant_id")
    .execute();
}
