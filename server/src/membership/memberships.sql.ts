import type { Insertable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MembershipTables } from "./tables.ts";

export async function findPaidUntil(db: Db, memberId: number): Promise<Date | null> {
  const row = await db
    .selectFrom("memberships")
    .select("paid_until")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.paid_until ?? null;
}

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

export async function savePaidUntil(tx: Tx, member_no: number, paid_until: Date): Promise<void> {
  await tx
    .insertInto("memberships")
    .values({ member_no, paid_until })
    .onConflict((conflict) =>
      conflict.column("member_no").doUpdateSet((row) => ({ paid_until: row.ref("excluded.paid_until") })),
    )
    .execute();
}

export async function deleteMembership(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("memberships").where("member_no", "=", memberId).execute();
}

/** The member's grants in the order in which they are added up. */
export function readGrants(db: Db, memberId: number) {
  return db
    .selectFrom("grants")
    .select(["grant_id", "year", "month", "source", "at", "place", "revoked_months", "coupon_id"])
    .where("member_no", "=", memberId)
    .orderBy("place")
    .orderBy("at")
    .orderBy("grant_id")
    .execute();
}
