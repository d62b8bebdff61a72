import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { getOwnUser } from "@alcove/contract/accounts";
import { addMonths } from "@alcove/contract/calendar";
import { captureOrder, createOrder, getOrders, type Order } from "@alcove/contract/membership";
import { currencies, priceOf, type Currency } from "@alcove/contract/prices";
import { pause, split } from "@alcove/test-services/waiting";
import type { Deployment } from "./deployment.ts";
import type { Member } from "./member.ts";

interface Bought {
  readonly buyer: Member;
  readonly orderId: string;
  readonly currency: Currency;
  readonly price: number;
  readonly months: number;
  /** Whether the buyer approved it, so that the money must be taken. */
  isApproved: boolean;
  /** Whether a response showed it as paid. */
  isAcknowledged: boolean;
}

const DAY_MS = 24 * 3_600_000;

/** Members who buy memberships: they return to capture, leave after the approval, or never approve. */
export class Purchases {
  readonly #buyers: readonly Member[];
  readonly #paypal: Deployment["paypal"];
  readonly #random: RandomGenerator;
  readonly #orders: Bought[] = [];

  constructor(buyers: readonly Member[], { paypal }: Deployment, random: RandomGenerator) {
    this.#buyers = buyers;
    this.#paypal = paypal;
    this.#random = split(random);
  }

  /** With `areLeaving`, every fourth buyer closes the page after the approval. */
  async run(end: number, [min, max]: readonly [number, number], areLeaving: boolean): Promise<void> {
    const buy = async (buyer: Member) => {
      for (;;) {
        await pause(uniformInt(this.#random, min, max));
        if (performance.now() > end) return;
        const outcome = uniformInt(this.#random, 1, 8);
        await this.buy(
          buyer,
          outcome === 1 ? "created" : areLeaving && outcome <= 3 ? "approved" : "captured",
        );
      }
    };
    await Promise.all(this.#buyers.map(buy));
  }

  async buy(buyer: Member, until: "created" | "approved" | "captured"): Promise<void> {
    const currency = currencies[uniformInt(this.#random, 0, currencies.length - 1)]!;
    const plan = { year: uniformInt(this.#random, 0, 1), month: uniformInt(this.#random, 1, 5) };
    const price = priceOf(currency, plan);
    const created = await buyer.callWithRetry("create order", createOrder, { currency, price, ...plan });
    const bought: Bought = {
      buyer,
      orderId: created.order_id,
      currency,
      price,
      months: plan.year * 12 + plan.month,
      isApproved: false,
      isAcknowledged: false,
    };
    this.#orders.push(bought);
    if (until === "created") return;
    await this.#approve(created.paypal_order_id);
    bought.isApproved = true;
    if (until === "approved") return;
    const presses = uniformInt(this.#random, 1, 3) === 1 ? 2 : 1;
    const capture = () => buyer.callWithRetry("capture order", captureOrder, { order_id: created.order_id });
    const captured = await Promise.all(Array.from({ length: presses }, capture));
    bought.isAcknowledged = captured.some(({ order }) => order.status === "completed");
  }

  /** The buyer waits for PayPal's page while PayPal is down. */
  async #approve(paypalOrderId: string): Promise<void> {
    for (;;) {
      try {
        return await this.#paypal.current.approve(paypalOrderId);
      } catch {
        await pause(200);
      }
    }
  }

  get count(): number {
    return this.#orders.length;
  }

  /** The paid orders of a buyer, and their months. */
  paidBy(buyer: Member): Bought[] {
    return this.#orders.filter((order) => order.buyer === buyer && order.isApproved);
  }

  /** Compares with PayPal's ledger: each approved order is taken, listed and granted once, and no other. */
  async check(): Promise<string[]> {
    const problems: string[] = [];
    const ledger = (await this.#paypal.current.ledger()).filter(({ kind }) => kind === "taken");
    const taken = Map.groupBy(ledger, ({ reference }) => reference);
    const own = new Set(this.#orders.map(({ orderId }) => orderId));
    const listed = new Map<string, Order>();
    for (const buyer of new Set(this.#orders.map((order) => order.buyer))) {
      const { orders } = await buyer.callWithRetry("check", getOrders, {});
      for (const order of orders) listed.set(order.id, order);
      problems.push(...(await this.#checkExpiry(buyer, orders)));
    }
    for (const { orderId, currency, price, isApproved, isAcknowledged } of this.#orders) {
      const entries = taken.get(orderId) ?? [];
      const name = `order ${orderId}`;
      if (entries.length !== (isApproved ? 1 : 0)) problems.push(`${name}: taken ${entries.length} times`);
      const units = price * (currency === "USD" ? 100 : 1);
      for (const entry of entries)
        if (entry.units !== units || entry.currency !== currency)
          problems.push(`${name}: ${entry.units} ${entry.currency} taken for ${units} ${currency}`);
      const order = listed.get(orderId);
      if ((order?.status === "completed") !== isApproved)
        problems.push(`${name}: listed as ${order?.status}, approved ${isApproved}`);
      if (isAcknowledged && order?.status !== "completed") problems.push(`${name}: acknowledged and lost`);
    }
    for (const reference of taken.keys())
      if (!own.has(reference)) problems.push(`order ${reference}: taken without an order`);
    return problems;
  }

  /** Months count from the first payment, so the order of payments does not matter. */
  async #checkExpiry(buyer: Member, orders: readonly Order[]): Promise<string[]> {
    // A capture without a known result has no time.
    const paidAt = orders.flatMap((order) => order.payment_successed_at ?? []).map((at) => Date.parse(at));
    const { user } = await buyer.callWithRetry("check", getOwnUser, {});
    if (paidAt.length === 0)
      return user.paid_account_expired_at ? [`${buyer.userId} has an unpaid grant`] : [];
    const months = this.paidBy(buyer).reduce((sum, order) => sum + order.months, 0);
    const expected = addMonths(new Date(Math.min(...paidAt)), months, "UTC");
    const offMs = Math.abs(Date.parse(user.paid_account_expired_at ?? "") - expected.getTime());
    return offMs <= DAY_MS
      ? []
      : [`${buyer.userId}: paid until ${user.paid_account_expired_at}, not ${expected.toISOString()}`];
  }
}
