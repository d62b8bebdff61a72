import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { getBrokerageFee, getTransfers, transferBrokerage } from "@alcove/contract/referral";
import { priceOf } from "@alcove/contract/prices";
import { pause, split } from "@alcove/test-services/waiting";
import type { Deployment } from "./deployment.ts";
import type { Member } from "./member.ts";
import type { Purchases } from "./purchases.ts";

interface Inviter {
  readonly member: Member;
  readonly invited: readonly Member[];
}

const FEE_PERCENTAGE = 20;
const MIN_USD = 10;

/** Inviters who transfer their fees, often at both servers at the same time. */
export class Transfers {
  readonly #inviters: readonly Inviter[];
  readonly #paypal: Deployment["paypal"];
  readonly #random: RandomGenerator;
  readonly #acknowledged = new Map<Member, number>();

  constructor(inviters: readonly Inviter[], { paypal }: Deployment, random: RandomGenerator) {
    this.#inviters = inviters;
    this.#paypal = paypal;
    this.#random = split(random);
  }

  async run(end: number, [min, max]: readonly [number, number]): Promise<void> {
    const transfer = async ({ member }: Inviter) => {
      for (;;) {
        await pause(uniformInt(this.#random, min, max));
        if (performance.now() > end) return;
        const { available } = await member.callWithRetry("balance", getBrokerageFee, {});
        if (available < MIN_USD) continue;
        const input = { email: `${member.userId}@paypal.example.com`, price: available };
        const presses = uniformInt(this.#random, 1, 2);
        // After an error the member looks at the balance again.
        const press = () =>
          member.call("transfer", transferBrokerage, input).then(
            () => this.#acknowledged.set(member, (this.#acknowledged.get(member) ?? 0) + 1),
            () => undefined,
          );
        await Promise.all(Array.from({ length: presses }, press));
      }
    };
    await Promise.all(this.#inviters.map(transfer));
  }

  /**
   * Fees, balance, transfers and PayPal's ledger agree to the cent. Without `areJobsAwaited` the result of a payout may
   * still be unread.
   */
  async check(purchases: Purchases, areJobsAwaited: boolean): Promise<string[]> {
    const problems: string[] = [];
    const ledger = (await this.#paypal.current.ledger()).filter(({ kind }) => kind === "paid out");
    const paidOut = Map.groupBy(ledger, ({ reference }) => reference);
    for (const { member, invited } of this.#inviters) {
      const { transfers } = await member.callWithRetry("check", getTransfers, {});
      const balance = await member.callWithRetry("check", getBrokerageFee, {});
      if (transfers.length < (this.#acknowledged.get(member) ?? 0))
        problems.push(`${member.userId}: a transfer was acknowledged and lost`);
      let received = 0;
      for (const { id, amount, status } of transfers) {
        const entries = paidOut.get(id) ?? [];
        paidOut.delete(id);
        received += toCents(amount);
        const isExact = entries.length === 1 && entries[0]!.units === toCents(amount);
        const isKnown = status === "completed" || (status === "pending" && !areJobsAwaited);
        if (!isExact || !isKnown)
          problems.push(`transfer ${id}: ${status}, paid out ${entries.length} times for ${amount}`);
      }
      const fees = invited
        .flatMap((buyer) => purchases.paidBy(buyer))
        .reduce((sum, order) => sum + feeOf(order.months), 0);
      const known = toCents(balance.available) + toCents(balance.pending) + received;
      if (fees !== known) problems.push(`${member.userId}: fees of ${fees} cents, ${known} in the ledger`);
      if (areJobsAwaited && toCents(balance.received) !== received)
        problems.push(`${member.userId}: ${balance.received} received, ${received} cents in transfers`);
    }
    for (const id of paidOut.keys()) problems.push(`transfer ${id}: paid out without a transfer`);
    return problems;
  }
}

const toCents = (dollars: number): number => Math.round(dollars * 100);

/** From the plan's price in USD, also for other currencies. */
function feeOf(months: number): number {
  const plan = { year: Math.floor(months / 12), month: months % 12 };
  return Math.floor((priceOf("USD", plan) * 100 * FEE_PERCENTAGE) / 100);
}
