import { sql } from "kysely";
import { expect } from "vitest";
import type { ResponseOf, Call, InputOf } from "@alcove/contract";
import { deleteAccount } from "@alcove/contract/accounts";
import { captureOrder, createBankOrder, createOrder, useCoupon, withdraw } from "@alcove/contract/membership";
import { priceOf, type Currency } from "@alcove/contract/prices";
import { getBrokerageFee, transferBrokerage } from "@alcove/contract/referral";
import type { FakePayPal } from "@alcove/test-services/paypal";
import { openSession } from "../../../src/accounts/index.ts";
import { sweepBankOrders } from "../../../src/membership/bank-orders.ts";
import {
  createCoupon,
  findBankOrder,
  grantMembership,
  listBankOrders,
  reconcileOrders,
  revokeGift,
  settleBankRefund,
  settleBankTransfer,
} from "../../../src/membership/index.ts";
import { toSmallestUnit } from "../../../src/membership/order-money.ts";
import { DAY_MS, HOUR_MS } from "../../../src/platform/clock.ts";
import type { Db } from "../../../src/platform/db/database.ts";
import { reconcileTransfers } from "../../../src/referral/index.ts";
import { CallError, type TestMember, type TestService } from "../../../src/testing/test-service.ts";
import type { FuzzCase, Action } from "./actions.ts";
import { advanceClock, CRASHED, payeeWith, readTrace, type FuzzEnv } from "./env.ts";

interface Bought {
  readonly orderId: string;
  /** PayPal's id, or the reference of a bank transfer. */
  readonly paidAs: string;
  readonly isByBank: boolean;
  readonly currency: Currency;
  readonly price: number;
  readonly months: number;
  readonly usdCents: number;
  readonly startsAtOnce: boolean;
}

/** A member at either server; logs in again after the session expired. */
interface Buyer {
  ask<C extends Call>(server: number, call: C, input: InputOf<C>): Promise<ResponseOf<C>>;
}

function buyerOf(servers: FuzzEnv["servers"], member: TestMember, mark: { hasLeft: boolean }): Buyer {
  const [first] = servers;
  let { access } = member;
  const memberAt = (server: number) => first.memberAt({ ...member, access }, servers[server % 2]!.url);
  return {
    async ask(server, call, input) {
      for (;;) {
        const used = access;
        try {
          return await memberAt(server).call(call, input);
        } catch (error) {
          const isOver = error instanceof CallError && /^(token_expired|login_required)$/.test(error.code);
          // A deleted member may still be logging in.
          if (!isOver || (mark.hasLeft && call !== (deleteAccount as Call))) throw error;
          if (access === used) ({ access } = await openSession(first.ctx, member.memberId));
        }
      }
    },
  };
}

export interface CaseResult {
  readonly memberId: number;
  readonly couponId: string;
  readonly inviter: CaseResult | null;
  readonly percentage: number;
  readonly buyer: Buyer;
  readonly orders: Bought[];
  coupons: number;
  grants: number;
  /** Gifts that the operator took back. */
  gifts: number;
  hasLeft: boolean;
  hasCrashed: boolean;
}

/**
 * Calls may fail by injected errors or crashes. `isFine` is checked after all responses, because other calls may have
 * caused the error meanwhile.
 */
async function expectSaid(
  calls: readonly Promise<unknown>[],
  alsoFine: () => readonly string[] = () => [],
): Promise<number> {
  let well = 0;
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === "fulfilled") well++;
    else {
      expect(outcome.reason).toBeInstanceOf(CallError);
      expect([
        "payments_unavailable",
        "login_required",
        "token_expired",
        "order_not_found",
        ...alsoFine(),
      ]).toContain((outcome.reason as CallError).code);
    }
  }
  return well;
}

/** Signs up a circle of members and runs their actions in parallel. */
export async function runCases(
  world: FuzzEnv,
  circle: readonly FuzzCase[],
  name: string,
): Promise<CaseResult[]> {
  const all: CaseResult[] = [];
  for (const one of circle) all.push(await join(world, one, `${name}-${all.length}`, pick(all, one.inviter)));
  await Promise.all(
    circle.map(async ({ steps }, i) => {
      for (const step of steps) await take(world, step, all[i]!);
    }),
  );
  return all;
}

async function join(
  { servers }: FuzzEnv,
  { percentage }: FuzzCase,
  name: string,
  inviter: CaseResult | null = null,
): Promise<CaseResult> {
  const [first] = servers;
  const member = await first.member(name, { at: null, ...(inviter ? { invitedBy: inviter.memberId } : {}) });
  const { memberId } = member;
  await first.db
    .updateTable("members")
    .set({ brokerage_percentage: percentage })
    .where("member_no", "=", memberId)
    .execute();
  const couponId = `COUPON-${name}`.toUpperCase();
  const expiresAt = new Date("2100-01-01T00:00:00Z");
  await createCoupon(first.ctx, { id: couponId, year: 0, month: 2, maxUses: 5, expiresAt });
  const mark = { orders: [], coupons: 0, grants: 0, gifts: 0, hasLeft: false, hasCrashed: false };
  const facts = {
    memberId,
    couponId,
    inviter,
    percentage: percentage ?? first.ctx.config.brokeragePercentage,
  };
  return Object.assign(mark, facts, { buyer: buyerOf(servers, member, mark) });
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];

async function take(world: FuzzEnv, one: Action, played: CaseResult): Promise<void> {
  const { servers, paypal } = world;
  const { buyer, couponId } = played;
  const [{ db }] = servers;
  if (one.does === "order") {
    const { currency, year, month, mood, isApproved, isCaptured, payer, startsAtOnce } = one;
    const price = priceOf(currency, { year, month });
    if (mood) await paypal.injectFault({ call: "create order", fault: mood });
    const start_at_once = startsAtOnce ? "yes" : null;
    const asked = buyer.ask(0, createOrder, { currency, price, year, month, start_at_once });
    if ((await expectSaid([asked])) === 0) return;
    const { order_id: orderId, paypal_order_id: paypalOrderId } = await asked;
    const usdCents = priceOf("USD", { year, month }) * 100;
    const months = year * 12 + month;
    const plan = { currency, price, months, usdCents, startsAtOnce };
    played.orders.push({ orderId, paidAs: paypalOrderId, isByBank: false, ...plan });
    if (isApproved) await paypal.approve(paypalOrderId, false, payerOf(played, payer));
    if (isApproved && isCaptured) await expectSaid([buyer.ask(0, captureOrder, { order_id: orderId })]);
    return;
  }
  if (one.does === "bank order") return orderByBank(played, one);
  if (one.does === "bank over") return passBankDays(world, one.days);
  if (one.does === "cheat") return cheat(world, one, played);
  if (one.does === "coupon") {
    if (played.hasLeft) return;
    const uses = Array.from({ length: one.times }, (_, i) =>
      buyer.ask(i, useCoupon, { coupon_id: couponId }),
    );
    played.coupons += await expectSaid(uses, () => ["coupon_used"]);
    return;
  }
  if (one.does === "grant") {
    if (played.hasLeft) return;
    const grantId = crypto.randomUUID();
    const grants = servers.map(({ ctx: each }) =>
      grantMembership(each, played.memberId, { year: 0, month: one.month, source: "operator", grantId }),
    );
    const granted = await Promise.allSettled(grants);
    if (!played.hasLeft) expect(granted.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    played.grants++;
    return;
  }
  if (one.does === "take gift") {
    const taken = Array.from({ length: one.times }, (_, i) =>
      revokeGift(servers[i % 2]!.ctx, played.memberId, null),
    );
    for (const outcome of await Promise.allSettled(taken)) {
      if (outcome.status === "fulfilled") played.gifts += Number(outcome.value);
      else expect(played.hasLeft && (outcome.reason as { code?: string }).code).toBe("user_not_found");
    }
    return;
  }
  if (one.does === "time") return passTime(servers[0], one.hours);
  if (one.does === "leave") {
    await Promise.all([leave(played), one.isWithInviter && played.inviter ? leave(played.inviter) : null]);
    return;
  }
  const earner = played.inviter ?? played;
  if (one.does === "transfer") return transfer(world, earner, one);
  if (one.does === "webhook of transfer") return tellOfTransfer(world, earner, one);
  if (one.does === "settle transfer") return settleTransfer(world, earner, one);
  if (one.does === "reconcile") {
    if (one.fails) await paypal.injectFault({ call: one.fails, fault: "failing" });
    return runJobs(servers[one.server % 2]!);
  }
  if (one.does === "webhook") return tellOf(world, played, one);

  const order = pick(played.orders, one.order);
  if (!order) return;
  const { orderId, paidAs: paypalOrderId } = order;
  if (one.does === "withdraw") return withdrawFrom(world, played, order, one);
  if (order.isByBank) {
    if (one.does === "bank paid") await confirmAtBank(world, order, one);
    if (one.does === "bank back") await payBack(world, order, one);
    return;
  }
  const seen = (await paypal.order(paypalOrderId)) as SeenOrder;
  const capture = seen.purchase_units[0].payments?.captures[0];
  if (one.does === "approve" && (seen.status === "CREATED" || seen.status === "APPROVED")) {
    await paypal.approve(paypalOrderId, one.isToBeDeclined);
  }
  if (one.does === "settle" && capture?.status === "PENDING") {
    await paypal.settle(capture.id, one.isTaken ? "COMPLETED" : "DECLINED");
  }
  if (one.does === "give back" && capture && /^(COMPLETED|PARTIALLY_REFUNDED)$/.test(capture.status)) {
    await giveBack(paypal, order, capture.id, one.percent);
  }
  if (one.does === "capture") {
    if (one.mood) await paypal.injectFault({ call: "capture order", fault: one.mood, of: orderId });
    if (one.isCrashing) await letCrash(db, orderId);
    const asked = Array.from({ length: one.times }, (_, i) =>
      buyer.ask(i, captureOrder, { order_id: orderId }),
    );
    const beside =
      one.beside === null
        ? null
        : tellOf(world, played, { does: "webhook", event: one.beside, times: 1, forgery: null, fails: null });
    await Promise.all([expectSaid(asked, () => (one.isCrashing ? ["fault"] : [])), beside]);
    if (one.isCrashing) await letRun(db, orderId);
  }
}

async function orderByBank(
  played: CaseResult,
  { currency, year, month, startsAtOnce }: Action & { does: "bank order" },
): Promise<void> {
  const price = priceOf(currency, { year, month });
  const start_at_once = startsAtOnce ? "yes" : null;
  const asked = played.buyer.ask(0, createBankOrder, { currency, price, year, month, start_at_once });
  if ((await expectSaid([asked], () => ["bank_orders_open"])) === 0) return;
  const { order_id: orderId, reference } = await asked;
  const usdCents = priceOf("USD", { year, month }) * 100;
  const plan = { currency, price, months: year * 12 + month, usdCents, startsAtOnce };
  played.orders.push({ orderId, paidAs: reference, isByBank: true, ...plan });
}

/** Time passes, as with `passTime`, until the nightly job. */
async function passBankDays({ servers }: FuzzEnv, days: number): Promise<void> {
  await passTime(servers[0], (days * DAY_MS) / HOUR_MS);
  await Promise.all(servers.map(({ ctx }) => sweepBankOrders(ctx)));
}

/** Confirms at both servers in parallel. Money without an order goes back to its sender. */
async function confirmAtBank(
  { servers, bank }: FuzzEnv,
  { orderId, paidAs, currency, price }: Bought,
  { times, paid, isCrashing }: Action & { does: "bank paid" },
): Promise<void> {
  if (paid !== "exact") return;
  const confirmed = await atBothServers(
    servers,
    { times, crashing: isCrashing ? orderId : null },
    async (ctx) => {
      const ref = await findBankOrder(ctx, paidAs);
      return ref !== null && ref.member_no !== null && (await settleBankTransfer(ctx, ref)) !== null;
    },
  );
  const isKnown = bank.some(({ kind, reference }) => kind === "taken" && reference === orderId);
  if (confirmed && !isKnown)
    bank.push({ kind: "taken", reference: orderId, currency, units: toSmallestUnit(currency, price) });
}

/** Pays back the sum of the operator's list. */
export async function payBack(
  { servers, bank }: FuzzEnv,
  { orderId, paidAs, currency }: Bought,
  { times, isCrashing }: { times: number; isCrashing: boolean },
): Promise<void> {
  const listed = (await listBankOrders(servers[0].ctx)).find(
    ({ reference, state }) => reference === paidAs && state === "pay_back",
  );
  const isPaidBack = await atBothServers(
    servers,
    { times, crashing: isCrashing ? orderId : null },
    async (ctx) => {
      const ref = await findBankOrder(ctx, paidAs);
      return ref !== null && settleBankRefund(ctx, ref);
    },
  );
  expect(isPaidBack && !listed).toBe(false);
  if (listed && isPaidBack)
    bank.push({
      kind: "given back",
      reference: orderId,
      currency,
      units: toSmallestUnit(currency, listed.amount),
    });
}

/** Returns whether one of the parallel actions succeeded. */
async function atBothServers(
  servers: FuzzEnv["servers"],
  { times, crashing }: { times: number; crashing: string | null },
  act: (ctx: TestService["ctx"]) => Promise<boolean>,
): Promise<boolean> {
  const [{ db }] = servers;
  if (crashing !== null) await letCrash(db, crashing);
  const done = await Promise.allSettled(Array.from({ length: times }, (_, i) => act(servers[i % 2]!.ctx)));
  if (crashing !== null) await letRun(db, crashing);
  for (const one of done) if (one.status === "rejected") expect(String(one.reason)).toContain(CRASHED);
  return done.some((one) => one.status === "fulfilled" && one.value);
}

/** Withdraws at both servers in parallel. A crash loses PayPal's response to the refund. */
async function withdrawFrom(
  world: FuzzEnv,
  played: CaseResult,
  { orderId }: Bought,
  { times, mood, beside, isCrashing }: Action & { does: "withdraw" },
): Promise<void> {
  const [{ db }] = world.servers;
  if (mood) await world.paypal.injectFault({ call: "refund", fault: mood });
  if (isCrashing) await letCrash(db, orderId);
  const asked = Array.from({ length: times }, (_, i) => played.buyer.ask(i, withdraw, { order_id: orderId }));
  const told =
    beside === null
      ? null
      : tellOf(world, played, { does: "webhook", event: beside, times: 1, forgery: null, fails: null });
  const fine = ["not_withdrawable", "withdrawal_over", ...(isCrashing ? ["fault"] : [])];
  await Promise.all([expectSaid(asked, () => fine), told]);
  if (isCrashing) await letRun(db, orderId);
}

/** Runs the job of transfers too, so that none becomes too old to be sent. */
async function passTime(service: TestService, hours: number): Promise<void> {
  await advanceClock(service, hours * HOUR_MS);
  await tolerateCrash(reconcileTransfers(service.ctx));
}

/** Buys years, lets the inviter transfer, and charges back, which PayPal reports at once. */
async function cheat(
  world: FuzzEnv,
  { payer, hours }: Action & { does: "cheat" },
  played: CaseResult,
): Promise<void> {
  const { servers, paypal } = world;
  const plan = {
    currency: "USD",
    year: 2,
    month: 0,
    mood: null,
    isApproved: true,
    isCaptured: true,
    startsAtOnce: false,
  } as const;
  const before = played.orders.length;
  await take(world, { does: "order", ...plan, payer }, played);
  const order = played.orders[before];
  if (!order) return;
  await passTime(servers[0], hours);
  const transfers = { does: "transfer", times: 1, fate: "SUCCESS", mood: null, isCrashing: false } as const;
  await transfer(world, played.inviter ?? played, transfers);
  const seen = (await paypal.order(order.paidAs)) as SeenOrder;
  const capture = seen.purchase_units[0].payments?.captures[0];
  if (capture?.status !== "COMPLETED") return;
  await paypal.reverse(capture.id);
  for (const { id } of await paypal.events(order.orderId))
    await deliver(world, id, { times: 1, forgery: null });
}

/** With the inviter's account, a member who invited themselves pays. */
function payerOf({ memberId, inviter }: CaseResult, whose: (Action & { does: "order" })["payer"]): string {
  if (whose === "payee") return payeeWith("SUCCESS");
  return `payer-${whose === "inviter" && inviter ? inviter.memberId : memberId}@example.com`;
}

export interface SeenOrder {
  readonly status: string;
  readonly purchase_units: [{ payments?: { captures: { id: string; status: string }[] } }];
}

async function giveBack(paypal: FakePayPal, order: Bought, captureId: string, percent: number | null) {
  if (percent === null) return paypal.reverse(captureId);
  const units = Math.ceil((toSmallestUnit(order.currency, order.price) * percent) / 100);
  const value = order.currency === "USD" ? (units / 100).toFixed(2) : String(units);
  // More than the rest is rejected, as at PayPal.
  await paypal.refund(captureId, { currency_code: order.currency, value }).catch(() => undefined);
}

/** Delivers events late, repeatedly, in any order, or forged. */
async function tellOf(world: FuzzEnv, played: CaseResult, one: Action & { does: "webhook" }) {
  const order = pick(played.orders, one.event);
  if (!order) return;
  const event = pick(await world.paypal.events(order.orderId), one.event);
  if (!event) return;
  if (one.fails) await world.paypal.injectFault({ call: one.fails, fault: "failing" });
  await deliver(world, event.id, one);
}

async function deliver(
  { servers, paypal }: FuzzEnv,
  eventId: string,
  { times, forgery }: Pick<Action & { does: "webhook" }, "times" | "forgery">,
): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: times }, (_, i) =>
      paypal.deliver(eventId, `${servers[i % 2]!.url}/webhooks/paypal`, forgery ?? undefined),
    ),
  );
  for (const status of statuses) expect(forgery ? [400, 503] : [200, 500, 503]).toContain(status);
}

async function leave(played: CaseResult): Promise<void> {
  if (played.hasLeft) return;
  played.hasLeft = true;
  await played.buyer.ask(0, deleteAccount, {});
}

const letCrash = (db: Db, what: string) =>
  sql`insert into crashing values (${what}) on conflict do nothing`.execute(db);
const letRun = (db: Db, what: string) => sql`delete from crashing where what = ${what}`.execute(db);

/** Runs both jobs at one server, which may crash. */
async function runJobs({ ctx }: TestService): Promise<void> {
  await Promise.all([tolerateCrash(reconcileOrders(ctx)), tolerateCrash(reconcileTransfers(ctx))]);
}

async function tolerateCrash(job: Promise<unknown>): Promise<void> {
  await job.catch((error: unknown) => expect(String(error)).toContain(CRASHED));
}

/** Transfers the balance several times in parallel at both servers. */
async function transfer(
  { servers, paypal }: FuzzEnv,
  played: CaseResult,
  one: Action & { does: "transfer" },
) {
  const [{ db }] = servers;
  const { buyer, memberId } = played;
  if (played.hasLeft) return;
  const balance = buyer.ask(0, getBrokerageFee, {});
  if ((await expectSaid([balance])) === 0) return;
  const { available } = await balance;
  if (one.mood && available >= 10) await paypal.injectFault({ call: "create payout", fault: one.mood });
  if (one.isCrashing) {
    played.hasCrashed = true;
    await letCrash(db, String(memberId));
  }
  const input = { email: payeeWith(one.fate), price: available };
  const asked = Array.from({ length: one.times }, (_, i) => buyer.ask(i, transferBrokerage, input));
  await expectSaid(asked, () => [
    "transfer_differs",
    "transfer_too_small",
    "transfer_refused",
    ...(played.hasCrashed ? ["fault"] : []),
  ]);
  if (one.isCrashing) await letRun(db, String(memberId));
}

/** A member's transfer at PayPal, also after the deletion. */
async function pickTransfer({ servers: [first] }: FuzzEnv, { memberId }: CaseResult, index: number) {
  const transfers = (await readTrace(first, memberId)).filter(({ kind }) => kind === "transfer");
  return pick(transfers, index)?.transfer_id ?? null;
}

async function tellOfTransfer(
  world: FuzzEnv,
  played: CaseResult,
  one: Action & { does: "webhook of transfer" },
): Promise<void> {
  const id = await pickTransfer(world, played, one.transfer);
  const event = id === null ? undefined : pick(await world.paypal.events(id), one.event);
  if (!event) return;
  if (one.fails) await world.paypal.injectFault({ call: one.fails, fault: "failing" });
  await deliver(world, event.id, one);
}

async function settleTransfer(
  world: FuzzEnv,
  played: CaseResult,
  one: Action & { does: "settle transfer" },
): Promise<void> {
  const id = await pickTransfer(world, played, one.transfer);
  if (id === null) return;
  const last = (await world.paypal.events(id)).at(-1)?.event_type;
  if (last && !/SUCCEEDED|UNCLAIMED|HELD/.test(last)) return;
  // PayPal may not have it yet.
  await world.paypal.settlePayout(id, one.isTaken ? "SUCCESS" : "RETURNED").catch(() => undefined);
}
