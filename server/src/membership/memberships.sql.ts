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

/** Returns false for a repeated grant. */
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

/** The member's grants in the order in which they are added up. */
export function readGrants(db: Db, memberId: number) {
  return db
    .selectFrom("grants")
    .select(["grant_id", "year", "month", "source", "encrypted_at", "place", "revoked_months", "coupon_id"])
    .where("member_no", "=", memberId)
    .orderBy("place")
    .orderBy("grant_id")
    .execute();
}
