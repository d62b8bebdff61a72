import { createHash, randomInt } from "node:crypto";
import { COUPON_ID } from "@alcove/contract/limits";
import type { Coupon } from "@alcove/contract/membership";
import { formerCoupons } from "../members/former-accounts.ts";
import { lockMember } from "../members/locks.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./coupons.sql.ts";
import { addGrant } from "./memberships.ts";
import { readGrants } from "./memberships.sql.ts";

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
 * The primary key of `coupon_uses` allows one use per member; the count rises only below `max_uses`, even with parallel
 * requests.
 */
export async function useCoupon(ctx: AppContext, me: CurrentMember, couponId: string): Promise<void> {
  await findUsable(ctx, me, couponId);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const now = ctx.clock.now();
    const isFirst = await rows.insertUse(tx, {
      coupon_id: couponId,
      member_no: me.memberId,
      at: floorTo(now, DAY_MS),
    });
    if (!isFirst) throw new ApiError("coupon_used");
    const coupon = await rows.incrementUses(tx, couponId, now);
    if (!coupon) throw new ApiError("coupon_used_up");
    const { year, month } = coupon;
    const grantId = couponGrantId(couponId, me.memberId);
    await addGrant(tx, ctx, me.memberId, { year, month, source: "coupon", grantId, couponId }, now);
  });
}

async function findUsable(ctx: AppContext, me: CurrentMember, couponId: string): Promise<rows.CouponRow> {
  const coupon = isCouponId(couponId) ? await rows.findCoupon(ctx.db, couponId) : null;
  if (!coupon) throw new ApiError("coupon_not_found");
  const isUsed =
    (await rows.hasUsed(ctx.db, couponId, me.memberId)) ||
    (await formerCoupons(ctx, me.memberId)).includes(couponId);
  if (isUsed) throw new ApiError("coupon_used");
  if (coupon.disabled_at || coupon.expires_at <= ctx.clock.now()) throw new ApiError("coupon_expired");
  if (coupon.used >= coupon.max_uses) throw new ApiError("coupon_used_up");
  return coupon;
}

/** Derives a UUID, so that a grant is idempotent. */
function couponGrantId(couponId: string, memberId: number): string {
  const hex = createHash("sha256").update(`coupon ${couponId} ${memberId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export async function deleteCouponUses(tx: Tx, memberId: number): Promise<string[]> {
  const used = (await readGrants(tx, memberId)).map(({ coupon_id }) => coupon_id).filter((id) => id !== null);
  if (used.length > 0) await rows.deleteUses(tx, memberId, used);
  return used;
}

export interface CouponTerms {
  readonly year: number;
  readonly month: number;
  readonly maxUses: number;
  readonly expiresAt: Date;
  /** The price of a code elsewhere, such as `USD 80`. */
  readonly value?: string | null;
}

export async function createCoupon(
  ctx: AppContext,
  input: CouponTerms & { readonly id: string },
): Promise<rows.CouponRow | null> {
  const isNew = await rows.insertCoupon(ctx.db, rowOf(ctx, input.id, input));
  return isNew ? rows.findCoupon(ctx.db, input.id) : null;
}

/** Draws codes that nobody guesses, and stores all of them or none. Returns them. */
export async function createCoupons(
  ctx: AppContext,
  { count, ...terms }: CouponTerms & { readonly count: number },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => drawCode(3));
  await rows.insertCoupons(
    ctx.db,
    ids.map((id) => rowOf(ctx, id, terms)),
  );
  return ids;
}

function rowOf({ clock }: AppContext, coupon_id: string, terms: CouponTerms) {
  const { year, month, maxUses: max_uses, expiresAt: expires_at, value = null } = terms;
  const created_at = floorTo(clock.now(), DAY_MS);
  return { coupon_id, year, month, max_uses, expires_at, value, created_at, disabled_at: null };
}

/** Without characters that look alike. */
const CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Groups of four, about 20 bits each. */
export const drawCode = (groups: number): string =>
  Array.from({ length: 4 * groups }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)])
    .join("")
    .replaceAll(/.{4}(?=.)/g, "$&-");

export async function disableCoupon(ctx: AppContext, couponId: string): Promise<rows.CouponRow | null> {
  return isCouponId(couponId) ? rows.setDisabled(ctx.db, couponId, floorTo(ctx.clock.now(), DAY_MS)) : null;
}

export function listCoupons(ctx: AppContext): Promise<rows.CouponRow[]> {
  return rows.readCoupons(ctx.db);
}

function isCouponId(id: string): boolean {
  return COUPON_ID.pattern.test(id);
}
