import { expect } from "vitest";
import { currencies } from "@alcove/contract/prices";
import { getBrokerageFee } from "@alcove/contract/referral";
import { addMonths } from "@alcove/contract/calendar";
import { isRevoked, listGrants, paidUntil, reconcileOrders } from "../../../src/membership/index.ts";
import { toSmallestUnit } from "../../../src/membership/order-money.ts";
import { DAY_MS } from "../../../src/platform/clock.ts";
import { returnUnsent, reconcileTransfers } from "../../../src/referral/index.ts";
import type { TestService } from "../../../src/testing/test-service.ts";
import { type CaseResult, payBack, type SeenOrder } from "./simulation.ts";
import {
  advanceClock,
  CLOCK_SKEW_MS,
  HOLD_MS,
  readAccounts,
  readTold,
  readTrace,
  type FuzzEnv,
  type ToldOrder,
  type Trace,
} from "./env.ts";

interface Term {
  readonly start: Date;
  readonly months: number;
}

/** The jobs' batch size. */
const LOOKED_AT_A_RUN = 100;

/** Delivers all pending events and runs the jobs until nothing is due. */
export async function settleEverything(world: FuzzEnv, all: readonly CaseResult[]): Promise<void> {
  const { servers, paypal } = world;
  const [first] = servers;
  await paypal.clearFaults();
  await sendAll(first);
  for (const [i, order] of all.flatMap(({ orders }) => orders).entries()) {
    if (order.isByBank) {
      await payBack(world, order, { times: 2, isCrashing: false });
      continue;
    }
    const seen = (await paypal.order(order.paidAs)) as SeenOrder;
    const capture = seen.purchase_units[0].payments?.captures[0];
    if (capture?.status === "PENDING")
      await paypal.settle(capture.id, i % 2 === 0 ? "COMPLETED" : "DECLINED");
  }
  for (const [i, { kind, transfer_id }] of (await readTrace(first)).entries()) {
    if (kind !== "transfer" || (await paypal.events(transfer_id!)).length > 0) continue;
    // Rejected orders never reached PayPal.
    await paypal.settlePayout(transfer_id!, i % 2 === 0 ? "SUCCESS" : "RETURNED").catch(() => undefined);
  }
  // Longer than the retry period of transfers.
  await advanceClock(first, 21 * DAY_MS);
  await runUntilDone(world);
  await giveRefusedBack(first);
}

const readSending = ({ db }: TestService) =>
  db.selectFrom("transfers").selectAll().where("state", "=", "sending").execute();
const readLeft = ({ db }: TestService) =>
  db.selectFrom("closed_transfers").selectAll().where("next_poll_at", "is not", null).execute();

/** Sends every transfer within its retry period; three attempts survive a lost response on a busy machine. */
async function sendAll(service: TestService): Promise<void> {
  const readAll = async () => [...(await readSending(service)), ...(await readLeft(service))];
  for (let runs = 0; runs < 3 && (await readAll()).length > 0; runs++)
    await reconcileTransfers(service.ctx, { isAll: true });
}

/** A repeated transfer that PayPal rejects stays until the operator returns it. */
async function giveRefusedBack(service: TestService): Promise<void> {
  for (const row of await readSending(service)) expect(await returnUnsent(service.ctx, row)).toBe(true);
}

async function runUntilDone({ servers }: FuzzEnv): Promise<void> {
  const [{ db, clock }] = servers;
  const countDue = async (): Promise<number> => {
    const due = await Promise.all(
      (["orders", "closed_orders", "transfers", "closed_transfers"] as const).map((table) =>
        db
          .selectFrom(table)
          .select((select) => select.fn.countAll<string>().as("count"))
          .where("next_poll_at", "<=", clock.now())
          .executeTakeFirstOrThrow(),
      ),
    );
    return due.reduce((sum, { count }) => sum + Number(count), 0);
  };
  const most = 10 + (2 * (await countDue())) / LOOKED_AT_A_RUN;
  for (let runs = 0; (await countDue()) > 0; runs++) {
    expect(runs).toBeLessThan(most);
    await Promise.all(servers.flatMap(({ ctx }) => [reconcileOrders(ctx), reconcileTransfers(ctx)]));
  }
}

/** Compares our records with PayPal's ledger to the cent. Returns the number of paid orders and the amount paid out. */
export async function audit(world: FuzzEnv, all: readonly CaseResult[]) {
  const {
    servers: [first],
    paypal,
    bank,
  } = world;
  const { db } = first;
  const payments = (await paypal.ledger()).filter(({ kind }) => kind === "taken" || kind === "given back");
  const book = [...payments, ...bank];
  const own = new Map(
    (await db.selectFrom("orders").selectAll().execute()).map((row) => [row.order_id, row]),
  );
  const closed = new Map(
    (await db.selectFrom("closed_orders").selectAll().execute()).map((row) => [
      row.paypal_order_id ?? row.reference,
      row,
    ]),
  );
  const grants = [];
  for (const { memberId: member_no } of all)
    for (const grant of await listGrants(first.ctx, member_no)) grants.push({ ...grant, member_no });
  const memberships = new Map(
    await Promise.all(
      all.map(async ({ memberId }) => [memberId, await paidUntil(first.ctx, memberId)] as const),
    ),
  );
  const told = await readTold(first);
  const isOwn = await ownAccountTest(first);
  const sums = new Map<string, { taken: number[]; back: number }>();
  for (const { kind, reference, units } of book) {
    const sum = sums.get(reference) ?? { taken: [], back: 0 };
    if (kind === "taken") sum.taken.push(units);
    else sum.back += units;
    sums.set(reference, sum);
  }
  const grantsOf = Map.groupBy(grants, ({ member_no }) => member_no);
  const toldOf = Map.groupBy(told, ({ order_id }) => order_id);
  /** The remaining fee by receiver. */
  const fees = new Map<number, Map<string, number>>();
  let paid = 0;
  let paidByInviter = 0;
  let withdrawn = 0;
  let paidByBank = 0;
  let takenGifts = 0;

  for (const { memberId, inviter, orders, coupons, grants: granted, gifts, hasLeft } of all) {
    takenGifts += gifts;
    const has = grantsOf.get(memberId) ?? [];
    const given = new Map(has.map((grant) => [grant.grant_id, grant]));
    for (const { orderId, paidAs, isByBank, currency, price, months, usdCents, startsAtOnce } of orders) {
      const { taken, back } = sums.get(orderId) ?? { taken: [], back: 0 };
      const whole = toSmallestUnit(currency, price);
      const order = hasLeft ? closed.get(paidAs) : own.get(orderId);
      const state = ["completed", "partly_refunded", "refunded"].find(
        (_, i) => i === (back === 0 ? 0 : back < whole ? 1 : 2),
      );
      if (taken.length === 0) {
        expect(order?.state ?? "none").toMatch(/^(none|created|declined|capturing)$/);
        expect(given.get(orderId)).toBeUndefined();
        continue;
      }
      paid++;
      if (isByBank) paidByBank++;
      expect(taken).toEqual([whole]);
      expect(order).toMatchObject({ state, refunded: back });
      const isWithdrawn = order!.withdrawal_amount !== null;
      if (isWithdrawn) {
        withdrawn++;
        expect(order!.withdrawal_state).toBe("done");
        expect(order!.withdrawal_amount! <= back && (startsAtOnce || back === whole)).toBe(true);
      }
      const heard = toldOf.get(hasLeft ? (order as { archive_id: string }).archive_id : orderId) ?? [];
      const left = heard.filter(({ kind }) => kind === "left").map(({ cents }) => cents);
      if (back > 0) expect(Math.min(...left)).toBe(Math.floor((usdCents * (whole - back)) / whole));
      expect(new Set(left).size).toBe(left.length);
      const payment = heard.find(({ kind }) => kind === "paid");
      if (payment && isOwn(payment)) paidByInviter++;
      else if (inviter && !inviter.hasLeft && payment) {
        const of = fees.get(inviter.memberId) ?? new Map<string, number>();
        const leftUsdCents = Math.floor((usdCents * (whole - back)) / whole);
        of.set(payment.order_id, Math.floor((leftUsdCents * inviter.percentage) / 100));
        fees.set(inviter.memberId, of);
      }
      if (hasLeft) continue;
      expect(heard.filter(({ kind }) => kind === "paid")).toMatchObject([
        { order_id: orderId, cents: usdCents, member_no: memberId },
      ]);
      const grant = given.get(orderId)!;
      expect(grant.source).toBe("order");
      // A refund of a begun order ends it before later ones.
      if (isWithdrawn || back === 0) expect(grant.endedAt !== null).toBe(isWithdrawn);
      if (!isWithdrawn)
        expect(grant.revoked_months).toBe(months - Math.ceil((months * (whole - back)) / whole));
    }
    if (hasLeft) {
      expect([has, memberships.get(memberId)]).toEqual([[], null]);
      continue;
    }
    const count = (source: string) => has.filter((grant) => grant.source === source).length;
    expect([count("coupon"), count("operator")]).toEqual([coupons, granted]);
    expect(coupons).toBeLessThanOrEqual(1);
    expect(has.filter((grant) => grant.source === "operator" && isRevoked(grant))).toHaveLength(gifts);
    const term = has.reduce<Term | null>((before, { at, year, month, revoked_months, endedAt }) => {
      const left = year * 12 + month - revoked_months;
      const isRunning = before && addMonths(before.start, before.months, "UTC") > at;
      if (endedAt) {
        const begins = isRunning ? addMonths(before.start, before.months, "UTC") : at;
        return begins < endedAt ? { start: endedAt, months: 0 } : before;
      }
      if (left === 0) return before;
      return isRunning ? { start: before.start, months: before.months + left } : { start: at, months: left };
    }, null);
    const until = term && term.months > 0 ? addMonths(term.start, term.months, "UTC") : null;
    expect(memberships.get(memberId) ?? null).toEqual(until);
  }
  const believed = [...own.values(), ...closed.values()]
    .filter(({ state }) => /^(completed|partly_refunded|refunded)$/.test(state))
    .map(({ currency, price, refunded }) => [currency, toSmallestUnit(currency, price) - refunded] as const);
  for (const currency of currencies) {
    const ours = believed.reduce((sum, [of, units]) => sum + (of === currency ? units : 0), 0);
    const theirs = book
      .filter((entry) => entry.currency === currency)
      .reduce((sum, { kind, units }) => sum + (kind === "taken" ? units : -units), 0);
    expect([currency, ours]).toEqual([currency, theirs]);
  }
  return {
    paid,
    paidByBank,
    paidByInviter,
    takenGifts,
    withdrawn,
    ...(await auditTransfers(world, all, fees)),
  };
}

/** Returns whether the inviter had paid with the payer's account, or transferred to it, before an order was paid. */
async function ownAccountTest(service: TestService) {
  const accounts = Map.groupBy(await readAccounts(service), ({ member_no }) => member_no);
  return ({ place, inviter, payer }: ToldOrder) =>
    (accounts.get(inviter) ?? []).some((known) => known.place < place && payer!.includes(known.email));
}

/** Compares fees and payouts. */
async function auditTransfers(
  { servers: [first], paypal }: FuzzEnv,
  all: readonly CaseResult[],
  fees: Map<number, Map<string, number>>,
) {
  const { db } = first;
  const trail = Map.groupBy(await readTrace(first), ({ member_no }) => member_no);
  const entries = Map.groupBy(
    await db.selectFrom("ledger_entries").selectAll().execute(),
    ({ member_no }) => member_no,
  );
  const stateOf = new Map(
    (await db.selectFrom("transfers").selectAll().execute()).map((row) => [row.transfer_id, row.state]),
  );
  const moved = Map.groupBy(
    (await paypal.ledger()).filter(({ kind }) => kind === "paid out" || kind === "came back"),
    ({ reference }) => reference,
  );
  const known = new Set<string>();
  const closed: { cents: number; isAtPayPal: boolean }[] = [];
  const count = { transfers: 0, returned: 0, reversedInHold: 0 };
  const now = first.clock.now();

  for (const { memberId, hasLeft, buyer } of all) {
    let received = 0;
    const trace = trail.get(memberId) ?? [];
    const { reversedInHold, reversedLate } = auditHolds(trace);
    count.reversedInHold += reversedInHold;
    for (const [i, { kind, cents, transfer_id, at }] of trace.entries()) {
      if (kind === "transfer") {
        // The whole available balance, at least USD 10, once.
        expect(availableShortlyBefore(at, trace.slice(0, i))).toContain(-cents);
        expect(-cents).toBeGreaterThanOrEqual(1_000);
        const out = moved.get(transfer_id!) ?? [];
        const paidOut = out.filter((entry) => entry.kind === "paid out");
        const net = out.reduce((sum, entry) => sum + (entry.kind === "paid out" ? 1 : -1) * entry.units, 0);
        expect(paidOut.map(({ units }) => units)).toEqual(paidOut.length > 0 ? [-cents] : []);
        if (hasLeft) {
          const isAtPayPal = (await paypal.events(transfer_id!)).length > 0;
          closed.push({ cents: -cents, isAtPayPal });
        } else expect([stateOf.get(transfer_id!), net]).toEqual(endOf(stateOf.get(transfer_id!), -cents));
        known.add(transfer_id!);
        received += net;
        count.transfers++;
      }
      if (kind === "transfer_returned") count.returned++;
    }
    if (hasLeft) {
      expect(entries.get(memberId)).toBeUndefined();
      continue;
    }
    const own = entries.get(memberId) ?? [];
    const sums = new Map<string, number>();
    for (const { order_id, usd_cents } of own) {
      if (order_id !== null) sums.set(order_id, (sums.get(order_id) ?? 0) + usd_cents);
    }
    const earned = fees.get(memberId) ?? new Map<string, number>();
    expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(earned));
    const total = [...earned.values()].reduce((sum, cents) => sum + cents, 0);
    const available = availableAt(now, trace);
    const pending = total - received - available;
    expect(await buyer.ask(0, getBrokerageFee, {})).toMatchObject({
      available: available / 100,
      received: received / 100,
      pending: pending / 100,
    });
    expect(pending).toBeGreaterThanOrEqual(0);
    expect(own).toHaveLength(trace.length);
    // Only a purchase that was refunded after its hold can have left money with its inviter.
    expect(received).toBeLessThanOrEqual(total + reversedLate);
  }
  // Every payout is in a ledger or in the archive.
  expect([...moved.keys()].filter((reference) => !known.has(reference))).toEqual([]);
  const books = await db.selectFrom("closed_transfers").selectAll().execute();
  const ofBooks = books.map(({ usd_cents }) => usd_cents);
  expect(ofBooks.toSorted(byNumber)).toEqual(closed.map(({ cents }) => cents).toSorted(byNumber));
  // We know every payout at PayPal; all others were rejected or never sent.
  const never = closed.filter(({ isAtPayPal }) => !isAtPayPal).length;
  const countOf = (...states: string[]) => books.filter(({ state }) => states.includes(state)).length;
  expect(countOf("sending")).toBeLessThanOrEqual(never);
  expect(countOf("sending", "failed")).toBeGreaterThanOrEqual(never);
  expect(books.filter(({ encrypted_email }) => encrypted_email !== null)).toEqual([]);
  return count;
}

/** The sum of the entries that were available at a time. */
function availableAt(at: Date, entries: readonly Trace[]): number {
  return entries.reduce(
    (sum, { cents, available_at }) => sum + (available_at === null || available_at <= at ? cents : 0),
    0,
  );
}

/** The sums at a time, and before holds that ended when a parallel member moved the clock during the transfer. */
function availableShortlyBefore(at: Date, entries: readonly Trace[]): number[] {
  const ends = entries.flatMap(({ available_at }) => available_at?.getTime() ?? []);
  const times = ends.filter((end) => end <= at.getTime() && end > at.getTime() - CLOCK_SKEW_MS);
  return [at, ...times.map((end) => new Date(end - 1))].map((time) => availableAt(time, entries));
}

/** Checks that each fee and its reversals become available together, about `HOLD_MS` after the purchase. */
function auditHolds(trace: readonly Trace[]): { reversedInHold: number; reversedLate: number } {
  let reversedInHold = 0;
  let reversedLate = 0;
  for (const { kind, order_id, cents, at, available_at } of trace) {
    const fee = trace.find((entry) => entry.kind === "fee" && entry.order_id === order_id);
    if (!fee || order_id === null) {
      expect([kind, available_at]).toEqual([expect.stringMatching("transfer"), null]);
      continue;
    }
    const release = fee.available_at!;
    expect(available_at).toEqual(release);
    expect(Math.abs(release.getTime() - fee.at.getTime() - HOLD_MS)).toBeLessThan(CLOCK_SKEW_MS);
    if (kind === "fee_reversed" && at < release) reversedInHold -= cents;
    else if (kind === "fee_reversed") reversedLate -= cents;
  }
  return { reversedInHold, reversedLate };
}

const byNumber = (a: number, b: number): number => a - b;

/** The allowed final states of a transfer, with the amount that PayPal paid. */
function endOf(state: string | undefined, cents: number): [string, number] {
  return state === "accepted" || state === "paid"
    ? [state, cents]
    : [state === "failed" ? state : "returned", 0];
}
