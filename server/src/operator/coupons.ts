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
  const { id, year, month, maxUses, expiresAt } = coupon;
  const action = `coupons create ${id} year=${year} month=${month} max-uses=${maxUses} expires-at=${expiresAt.toISOString()}`;
  await logOperatorAction(ctx, action, null, reason, operatorId);
  const created = await membership.createCoupon(ctx, coupon);
  return created && withState(ctx, created);
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
