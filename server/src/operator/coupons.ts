import { logOperatorAction } from "../accounts/index.ts";
import * as membership from "../membership/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Actor } from "./members.ts";

type CouponState = "usable" | "over" | "disabled";

export type ListedCoupon = membership.CouponRow & { readonly state: CouponState };

export async function listCoupons(ctx: AppContext, { operatorId, reason }: Actor): Promise<ListedCoupon[]> {
  await logOperatorAction(ctx, "coupons list", null, reason, operatorId);
  return (await membership.listCoupons(ctx)).map((coupon) => withState(ctx, coupon));
}

export async function createCoupon(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  coupon: Parameters<typeof membership.createCoupon>[1],
): Promise<ListedCoupon | null> {
  const action = `coupons create ${coupon.id} ${describe(coupon)}`;
  await logOperatorAction(ctx, action, null, reason, operatorId);
  const created = await membership.createCoupon(ctx, coupon);
  return created && withState(ctx, created);
}

/** The log does not have the codes: each is worth its value. */
export async function createCoupons(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  coupons: Parameters<typeof membership.createCoupons>[1],
): Promise<string[]> {
  const action = `coupons create count=${coupons.count} ${describe(coupons)}`;
  await logOperatorAction(ctx, action, null, reason, operatorId);
  return membership.createCoupons(ctx, coupons);
}

function describe({ year, month, maxUses, expiresAt, value }: membership.CouponTerms): string {
  const plan = `year=${year} month=${month} max-uses=${maxUses} expires-at=${expiresAt.toISOString()}`;
  return value ? `${plan} value=${value.replace(" ", "-")}` : plan;
}

export async function disableCoupon(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  id: string,
): Promise<ListedCoupon | null> {
  await logOperatorAction(ctx, `coupons disable ${id}`, null, reason, operatorId);
  const disabled = await membership.disableCoupon(ctx, id);
  return disabled && withState(ctx, disabled);
}

function withState({ clock }: AppContext, coupon: membership.CouponRow): ListedCoupon {
  const isOver = coupon.expires_at <= clock.now() || coupon.used >= coupon.max_uses;
  return { ...coupon, state: coupon.disabled_at ? "disabled" : isOver ? "over" : "usable" };
}
