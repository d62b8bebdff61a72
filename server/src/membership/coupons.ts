import { createHash } from "node:crypto";
import { COUPON_ID } from "@alcove/contract/limits";
import type { Coupon } from "@alcove/contract/membership";
import { lockMember } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./coupons.sql.ts";
import { giveGrant } from "./memberships.ts";
import { readGrants } from "./memberships.sql.ts";

/** What a coupon gives a member, if it may use it now; else refuses with the reason. */
export async function checkCoupon(
  ctx: AppContext,
  me: CurrentMember,
  couponId: string,
): Promise<{ coupon: Coupon }> {
  const coupon = await findUsable(ctx, me, couponId);
  const { coupon_id: id, year, month, expires_at, max_uses, used } = coupon;
  return { coupon: { id, year, month, expires_at: expires_at.toISOString(), max_uses, used } };
}

/**
 * Uses a coupon: use, count and membership are one transaction. Its key lets a member use it once, and the count is
 * raised only while it is below the most, however many try at once.
 */
export async function useCoupon(ctx: AppContext, me: CurrentMember, couponId: string): Promise<void> {
  await findUsable(ctx, me, couponId);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required"); // deleted since the request came
    const now = ctx.clock.now();
    const isFirst = await rows.insertUse(tx, { coupon_id: couponId, member_no: me.memberId, at: now });
    if (!isFirst) throw new ApiError("coupon_used");
    const coupon = await rows.countUse(tx, couponId, now);
    if (!coupon) throw new ApiError("coupon_used_up");
    const { year, month } = coupon;
    const grantId = grantIdOf(couponId, me.memberId);
    await giveGrant(tx, me.memberId, { year, month, source: "coupon", grantId, couponId }, now);
  });
}

async function findUsable(ctx: AppContext, me: CurrentMember, couponId: string): Promise<rows.CouponRow> {
  // Nothing else can be in the table, and the database does not take every string.
  const coupon = isCouponId(couponId) ? await rows.findCoupon(ctx.db, couponId) : null;
  if (!coupon) throw new ApiError("coupon_not_found");
  if (await rows.hasUsed(ctx.db, couponId, me.memberId)) throw new ApiError("coupon_used");
  if (coupon.disabled_at || coupon.expires_at <= ctx.clock.now()) throw new ApiError("coupon_expired");
  if (coupon.used >= coupon.max_uses) throw new ApiError("coupon_used_up");
  return coupon;
}

/** The same UUID for the same coupon and member. */
function grantIdOf(couponId: string, memberId: number): string {
  const hex = createHash("sha256").update(`coupon ${couponId} ${memberId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Forgets which coupons a member used who is leaving. */
export async function forgetCouponUses(tx: Tx, memberId: number): Promise<void> {
  const used = (await readGrants(tx, memberId)).map(({ coupon_id }) => coupon_id).filter((id) => id !== null);
  if (used.length > 0) await rows.deleteUses(tx, memberId, used);
}

interface NewCoupon {
  readonly id: string;
  readonly year: number;
  readonly month: number;
  readonly maxUses: number;
  readonly expiresAt: Date;
}

/** Makes a coupon; null when there is one of that id, or was. */
export async function createCoupon(ctx: AppContext, wish: NewCoupon): Promise<rows.CouponRow | null> {
  const isNew = await rows.insertCoupon(ctx.db, {
    coupon_id: wish.id,
    year: wish.year,
    month: wish.month,
    expires_at: wish.expiresAt,
    max_uses: wish.maxUses,
    created_at: ctx.clock.now(),
    disabled_at: null,
  });
  return isNew ? rows.findCoupon(ctx.db, wish.id) : null;
}

/** From now on nobody can use it; what it gave stays. Null when there is no such coupon. */
export async function disableCoupon(ctx: AppContext, couponId: string): Promise<rows.CouponRow | null> {
  return isCouponId(couponId) ? rows.setDisabled(ctx.db, couponId, ctx.clock.now()) : null;
}

export function listCoupons(ctx: AppContext): Promise<rows.CouponRow[]> {
  return rows.readCoupons(ctx.db);
}

function isCouponId(id: string): boolean {
  return COUPON_ID.pattern.test(id);
}
