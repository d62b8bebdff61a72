import { captureOrder, createOrder } from "@alcove/contract/membership";
import { type Currency, priceOf } from "@alcove/contract/prices";
import type { Client } from "@alcove/test-services/client";
import type { PayPalStandIn } from "@alcove/test-services/paypal";
import type { Fixtures } from "../fixtures/test.ts";

/** Buys a year, for which the inviter gets USD 16. */
export async function buyYear(
  paypal: PayPalStandIn,
  buyer: Client,
  currency: Currency = "JPY",
): Promise<void> {
  const plan = { year: 1, month: 0 };
  const wish = { currency, price: priceOf(currency, plan), ...plan };
  const { order_id, paypal_order_id } = await buyer.ask(createOrder, wish);
  await paypal.approve(paypal_order_id);
  await buyer.ask(captureOrder, { order_id });
}

/** Has the operator make a coupon of three months for one member, good until tomorrow. */
export async function createCoupon(runOperator: Fixtures["runOperator"], id: string): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const what = ["--id", id, "--month", "3", "--max-uses", "1", "--expires-at", tomorrow];
  await runOperator("coupons", "create", ...what);
}
