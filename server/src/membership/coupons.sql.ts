import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MembershipTables } from "./tables.ts";

export type CouponRow = Selectable<MembershipTables["coupons"]>;

export async function insertCoupon(
  db: Db,
  coupon: Insertable<MembershipTables["coupons"]>,
): Promise<boolean> {
  const row = await db
    .insertInto("coupons")
    .values(coupon)
    .onConflict((conflict) => conflict.column("coupon_id").doNothing())
    .returning("coupon_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertCoupons(
  db: Db,
  coupons: readonly Insertable<MembershipTables["coupons"]>[],
): Promise<void> {
  await db.insertInto("coupons").values(coupons).execute();
}

export async function findCoupon(db: Db, couponId: string): Promise<CouponRow | null> {
  const row = await db.selectFrom("coupons").selectAll().where("coupon_id", "=", couponId).executeTakeFirst();
  return row ?? null;
}

export async function hasUsed(db: Db, couponId: string, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("coupon_uses")
    .select("coupon_id")
    .where("coupon_id", "=", couponId)
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function incrementUses(tx: Tx, couponId: string, now: Date): Promise<CouponRow | null> {
  const row = await tx
    .updateTable("coupons")
    .set({ used: sql<number>`used + 1` })
    .where("coupon_id", "=", couponId)
    .where("used", "<", sql.ref<number>("max_uses"))
    .where("expires_at", ">", now)
    .where("disabled_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertUse(tx: Tx, use: MembershipTables["coupon_uses"]): Promise<boolean> {
  const row = await tx
    .insertInto("coupon_uses")
    .values(use)
    .onConflict((conflict) => conflict.columns(["coupon_id", "member_no"]).doNothing())
    .returning("coupon_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** The coupons' counts stay. */
export async function deleteUses(tx: Tx, memberId: number, couponIds: readonly string[]): Promise<void> {
  if (couponIds.length === 0) return;
  await tx
    .deleteFrom("coupon_uses")
    .where("coupon_id", "=", sql<string>`any(${couponIds}::text[])`)
    .where("member_no", "=", memberId)
    .execute();
}

export async function readCoupons(db: Db): Promise<CouponRow[]> {
  return db.selectFrom("coupons").selectAll().orderBy("created_at", "desc").orderBy("coupon_id").execute();
}

export async function setDisabled(db: Db, couponId: string, now: Date): Promise<CouponRow | null> {
  const row = await db
    .updateTable("coupons")
    .set({ disabled_at: now })
    .where("coupon_id", "=", couponId)
    .where("disabled_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return row ?? findCoupon(db, couponId);
}
