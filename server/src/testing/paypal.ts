import { afterAll } from "vitest";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { type Currency, priceOf } from "@alcove/contract/prices";
import { startPayPal, type FakePayPal } from "@alcove/test-services/paypal";
import type { Config } from "../config.ts";
import type { TestMember } from "./test-service.ts";

/** Fees are available at once. */
export async function fakePayPalForFile(): Promise<{ paypal: FakePayPal; config: Partial<Config> }> {
  const paypal = await startPayPal();
  afterAll(() => paypal.close());
  return { paypal, config: { paypal: paypal.account, brokerageHoldDays: 0 } };
}

interface Plan {
  readonly payer?: string;
  readonly payerCountry?: string;
  readonly country?: string;
  readonly startAtOnce?: boolean;
  readonly year?: number;
  readonly month?: number;
  readonly currency?: Currency;
}

/** One month in USD by default. */
export function order(member: TestMember, plan: Plan = { month: 1 }) {
  const { year = 0, month = 0, currency = "USD", country, startAtOnce } = plan;
  const price = priceOf(currency, { year, month });
  const start_at_once = startAtOnce ? "yes" : null;
  return member.call(createOrder, { currency, price, year, month, country: country ?? null, start_at_once });
}

export async function buy(paypal: FakePayPal, member: TestMember, plan?: Plan) {
  const { order_id, paypal_order_id } = await order(member, plan);
  await paypal.approve(paypal_order_id, false, plan?.payer, plan?.payerCountry);
  const captured = await member.call(captureOrder, { order_id });
  const capture_id = captured.paypal_order_data.purchase_units![0]!.payments.captures[0]!.id;
  return { order_id, paypal_order_id, capture_id, ...captured };
}
