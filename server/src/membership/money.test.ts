import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { AnswerOf, Call, InputOf } from "@alcove/contract";
import { deleteAccount } from "@alcove/contract/accounts";
import { captureOrder, createOrder, useCoupon } from "@alcove/contract/membership";
import { currencies, priceOf, type Currency } from "@alcove/contract/prices";
import { startPayPal, type PayPalStandIn } from "@alcove/sandbox/paypal";
import { openSession } from "../accounts/index.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { Refused, testService, type TestMember, type TestService } from "../testing/service.ts";
import { addMonths } from "./calendar.ts";
import { createCoupon } from "./coupons.ts";
import { grantMembership } from "./memberships.ts";
import { smallestOf } from "./order-money.ts";
import { reconcile } from "./reconciling.ts";

/** `npm run histories` wishes for thousands, and prints the seed to have the same ones again. */
const HISTORIES = Number(process.env["HISTORIES"] ?? 200);
const SEED = Number(process.env["HISTORIES_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** So many share two servers, a database and a PayPal, and so many of those go on at the same time. */
const IN_A_WORLD = 200;
const AT_ONCE = 10;
/** How many orders the job looks at in one run. */
const ORDERS_A_RUN = 100;

const CAPTURE_MOODS = [
  "failing",
  "failing after",
  "hanging up",
  "hanging up after",
  "garbled after",
  "too many requests",
  "forgetting the token",
  "pending",
  "declined",
] as const;
const FORGERIES = ["body", "signature", "other webhook", "certificate", "no headers"] as const;

const small = fc.nat({ max: 7 });
const orNone = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 1 });
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant("order"),
      currency: fc.constantFrom(...currencies),
      year: fc.nat({ max: 1 }),
      month: fc.integer({ min: 1, max: 5 }),
      mood: orNone(fc.constantFrom("failing", "hanging up after")),
      isApproved: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("approve"), order: small, isToBeDeclined: fc.boolean() }),
  },
  {
    weight: 15,
    arbitrary: fc.record({
      does: fc.constant("capture"),
      order: small,
      times: fc.integer({ min: 1, max: 3 }),
      mood: orNone(fc.constantFrom(...CAPTURE_MOODS)),
      /** A webhook that comes at the same moment. */
      beside: orNone(small),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant("webhook"),
      event: small,
      times: fc.integer({ min: 1, max: 3 }),
      forgery: orNone(fc.constantFrom(...FORGERIES)),
      fails: orNone(fc.constantFrom("verify webhook", "show order")),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("settle"), order: small, isTaken: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("give back"),
      order: small,
      /** Null for a chargeback of all that is left. */
      percent: orNone(fc.integer({ min: 1, max: 100 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("coupon"), times: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("grant"), month: fc.integer({ min: 1, max: 14 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("time"), hours: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave") }) },
) as fc.Arbitrary<Step>;

type Step =
  | {
      does: "order";
      currency: Currency;
      year: number;
      month: number;
      mood: "failing" | "hanging up after" | null;
      isApproved: boolean;
    }
  | { does: "approve"; order: number; isToBeDeclined: boolean }
  | {
      does: "capture";
      order: number;
      times: number;
      mood: (typeof CAPTURE_MOODS)[number] | null;
      beside: number | null;
      isCrashing: boolean;
    }
  | {
      does: "webhook";
      event: number;
      times: number;
      forgery: (typeof FORGERIES)[number] | null;
      fails: "verify webhook" | "show order" | null;
    }
  | { does: "settle"; order: number; isTaken: boolean }
  | { does: "give back"; order: number; percent: number | null }
  | { does: "coupon"; times: number }
  | { does: "grant"; month: number }
  | { does: "time"; hours: number }
  | { does: "leave" };

/** Somebody's own doings with money, one after the other. */
const history = fc.array(step, { minLength: 4, maxLength: 12 });

/** Two servers on one database, and the PayPal of both. */
interface World {
  readonly servers: readonly [TestService, TestService];
  readonly paypal: PayPalStandIn;
}

interface Bought {
  readonly orderId: string;
  readonly paypalOrderId: string;
  readonly currency: Currency;
  readonly price: number;
  readonly months: number;
  readonly usdCents: number;
}

/** A member at either server, who logs in again when time has run out. */
interface Buyer {
  ask<C extends Call>(server: number, call: C, input: InputOf<C>): Promise<AnswerOf<C>>;
}

function buyerOf({ servers }: World, member: TestMember, played: Played): Buyer {
  const [first] = servers;
  let { access } = member;
  const meet = (server: number) => first.meet({ ...member, access }, servers[server % 2]!.url);
  return {
    async ask(server, call, input) {
      for (;;) {
        const used = access;
        try {
          return await meet(server).ask(call, input);
        } catch (error) {
          const isOver = error instanceof Refused && /^(token_expired|login_required)$/.test(error.code);
          if (!isOver || played.hasLeft) throw error;
          if (access === used)
            ({ access } = await openSession(first.deps, { no: member.no, userId: member.user_id }));
        }
      }
    },
  };
}

/** What became of one history, as its member and the world outside know it. */
interface Played {
  readonly no: number;
  readonly orders: Bought[];
  coupons: number;
  grants: number;
  hasLeft: boolean;
}

async function openWorld(): Promise<World> {
  const paypal = await startPayPal();
  const settings = { paypal: paypal.account };
  const first = await testService({ settings });
  const second = await testService({ settings, beside: first });
  first.clock.set("2026-01-31T12:00:00Z");
  await prepare(first);
  for (const { deps } of [first, second]) {
    const tell = (kind: string, orderId: string, cents: number) =>
      sql`insert into told (kind, order_id, cents) values (${kind}, ${orderId}, ${cents})`;
    deps.consequences.when("order_paid", async (tx, { orderId, usdCents }) => {
      await tell("paid", orderId, usdCents).execute(tx);
    });
    deps.consequences.when("order_taken_back", async (tx, { orderId, leftUsdCents }) => {
      await tell("left", orderId, leftUsdCents).execute(tx);
    });
    deps.consequences.when("order_closed", async (tx, { orderId, bookId }) => {
      await sql`update told set order_id = ${bookId} where order_id = ${orderId}`.execute(tx);
    });
  }
  return { servers: [first, second], paypal };
}

/** What a ledger would be told, and a way to lose what PayPal answered just before the commit. */
async function prepare({ db }: TestService): Promise<void> {
  await sql`create table told (kind text, order_id text, cents int)`.execute(db);
  await sql`create table crashing (order_id text primary key)`.execute(db);
  await sql`
    create function crash() returns trigger language plpgsql as $$
    begin
      if exists (select from crashing where order_id = new.order_id::text) then
        raise exception 'crashed before the commit';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger crash before update on orders for each row
    when (new.state in ('completed', 'pending', 'declined')) execute function crash()`.execute(db);
}

/** Calls may fail, by PayPal's moods or a crash; only that they say so is expected of them. */
async function expectSaid(calls: readonly Promise<unknown>[], alsoFine: readonly string[]): Promise<number> {
  let well = 0;
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === "fulfilled") well++;
    else {
      expect(outcome.reason).toBeInstanceOf(Refused);
      expect([
        "payments_unavailable",
        "login_required",
        "token_expired",
        "order_not_found",
        ...alsoFine,
      ]).toContain((outcome.reason as Refused).code);
    }
  }
  return well;
}

async function play(world: World, steps: readonly Step[], name: string): Promise<Played> {
  const [first] = world.servers;
  const member = await first.member(name, { at: null });
  await createCoupon(first.deps, {
    id: `COUPON-${name}`.toUpperCase(),
    year: 0,
    month: 2,
    maxUses: 5,
    expiresAt: new Date("2100-01-01T00:00:00Z"),
  });
  const played: Played = { no: member.no, orders: [], coupons: 0, grants: 0, hasLeft: false };
  const buyer = buyerOf(world, member, played);
  for (const one of steps) await take(world, buyer, one, played, `COUPON-${name}`);
  return played;
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];

async function take(world: World, buyer: Buyer, one: Step, played: Played, couponId: string): Promise<void> {
  const { servers, paypal } = world;
  const [{ clock, db }] = servers;
  if (one.does === "order") {
    const { currency, year, month, mood, isApproved } = one;
    const price = priceOf(currency, { year, month });
    if (mood) await paypal.wish({ call: "create order", mood });
    const asked = buyer.ask(0, createOrder, { currency, price, year, month });
    if ((await expectSaid([asked], [])) === 0) return;
    const { order_id: orderId, paypal_order_id: paypalOrderId } = await asked;
    const usdCents = priceOf("USD", { year, month }) * 100;
    played.orders.push({ orderId, paypalOrderId, currency, price, months: year * 12 + month, usdCents });
    if (isApproved) await paypal.approve(paypalOrderId);
    return;
  }
  if (one.does === "coupon") {
    if (played.hasLeft) return;
    const uses = Array.from({ length: one.times }, (_, i) =>
      buyer.ask(i, useCoupon, { coupon_id: couponId }),
    );
    played.coupons += await expectSaid(uses, ["coupon_used"]);
    return;
  }
  if (one.does === "grant") {
    if (played.hasLeft) return;
    const grantId = crypto.randomUUID();
    await Promise.all(
      servers.map(({ deps: each }) =>
        grantMembership(each, played.no, { year: 0, month: one.month, source: "operator", grantId }),
      ),
    );
    played.grants++;
    return;
  }
  if (one.does === "time") return clock.advance(one.hours * HOUR_MS);
  if (one.does === "leave") {
    if (!played.hasLeft) await buyer.ask(0, deleteAccount, {});
    played.hasLeft = true;
    return;
  }
  if (one.does === "webhook") return tellOf(world, played, one);

  const order = pick(played.orders, one.order);
  if (!order) return;
  const { orderId, paypalOrderId } = order;
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
    if (one.mood) await paypal.wish({ call: "capture order", mood: one.mood, of: orderId });
    if (one.isCrashing) await sql`insert into crashing values (${orderId})`.execute(db);
    const asked = Array.from({ length: one.times }, (_, i) =>
      buyer.ask(i, captureOrder, { order_id: orderId }),
    );
    const beside =
      one.beside === null
        ? null
        : tellOf(world, played, { does: "webhook", event: one.beside, times: 1, forgery: null, fails: null });
    await Promise.all([expectSaid(asked, one.isCrashing ? ["fault"] : []), beside]);
    if (one.isCrashing) await sql`delete from crashing where order_id = ${orderId}`.execute(db);
  }
}

interface SeenOrder {
  readonly status: string;
  readonly purchase_units: [{ payments?: { captures: { id: string; status: string }[] } }];
}

async function giveBack(paypal: PayPalStandIn, order: Bought, captureId: string, percent: number | null) {
  if (percent === null) return paypal.reverse(captureId);
  const units = Math.ceil((smallestOf(order.currency, order.price) * percent) / 100);
  const value = order.currency === "USD" ? (units / 100).toFixed(2) : String(units);
  // More than what is left is refused, as it would be at PayPal's own screen.
  await paypal.refund(captureId, { currency_code: order.currency, value }).catch(() => undefined);
}

/** Tells of anything that ever happened to these orders: soon or late, again, in any order, or forged. */
async function tellOf({ servers, paypal }: World, played: Played, one: Step & { does: "webhook" }) {
  const order = pick(played.orders, one.event);
  if (!order) return;
  const event = pick(await paypal.events(order.orderId), one.event);
  if (!event) return;
  if (one.fails) await paypal.wish({ call: one.fails, mood: "failing" });
  const statuses = await Promise.all(
    Array.from({ length: one.times }, (_, i) =>
      paypal.deliver(event.id, `${servers[i % 2]!.url}/webhooks/paypal`, one.forgery ?? undefined),
    ),
  );
  for (const status of statuses) expect(one.forgery ? [400, 503] : [200, 500, 503]).toContain(status);
}

/** Lets everything that is on its way arrive, and the job that looks after orders run until it has nothing to do. */
async function comeToRest({ servers, paypal }: World, all: readonly Played[]): Promise<void> {
  await paypal.calmDown();
  for (const [i, { paypalOrderId }] of all.flatMap(({ orders }) => orders).entries()) {
    const seen = (await paypal.order(paypalOrderId)) as SeenOrder;
    const capture = seen.purchase_units[0].payments?.captures[0];
    if (capture?.status === "PENDING")
      await paypal.settle(capture.id, i % 2 === 0 ? "COMPLETED" : "DECLINED");
  }
  const [{ db, clock }] = servers;
  clock.advance(15 * DAY_MS);
  const countDue = async (): Promise<number> => {
    const due = await Promise.all(
      (["orders", "closed_orders"] as const).map((table) =>
        db
          .selectFrom(table)
          .select((select) => select.fn.countAll<string>().as("count"))
          .where("look_at", "<=", clock.now())
          .executeTakeFirstOrThrow(),
      ),
    );
    return due.reduce((sum, { count }) => sum + Number(count), 0);
  };
  const most = 10 + (2 * (await countDue())) / ORDERS_A_RUN;
  for (let runs = 0; (await countDue()) > 0; runs++) {
    expect(runs).toBeLessThan(most);
    await Promise.all(servers.map(({ deps }) => reconcile(deps)));
  }
}

/** Compares what we believe with PayPal's own book, to the cent; answers how many orders were paid. */
async function audit({ servers: [{ db }], paypal }: World, all: readonly Played[]): Promise<number> {
  const book = await paypal.book();
  const own = new Map(
    (await db.selectFrom("orders").selectAll().execute()).map((row) => [row.order_id, row]),
  );
  const closed = new Map(
    (await db.selectFrom("closed_orders").selectAll().execute()).map((row) => [row.paypal_order_id, row]),
  );
  const grants = await db.selectFrom("grants").selectAll().orderBy("place").execute();
  const memberships = new Map(
    (await db.selectFrom("memberships").selectAll().execute()).map((row) => [row.member_no, row.paid_until]),
  );
  const { rows: told } = await sql<{ kind: string; order_id: string; cents: number }>`
    select kind, order_id, cents from told`.execute(db);
  const sums = new Map<string, { taken: number[]; back: number }>();
  for (const { kind, reference, units } of book) {
    const sum = sums.get(reference) ?? { taken: [], back: 0 };
    if (kind === "taken") sum.taken.push(units);
    else sum.back += units;
    sums.set(reference, sum);
  }
  const grantsOf = Map.groupBy(grants, ({ member_no }) => member_no);
  const toldOf = Map.groupBy(told, ({ order_id }) => order_id);
  let paid = 0;

  for (const { no, orders, coupons, grants: granted, hasLeft } of all) {
    const has = grantsOf.get(no) ?? [];
    const given = new Map(has.map((grant) => [grant.grant_id, grant]));
    for (const { orderId, paypalOrderId, currency, price, months, usdCents } of orders) {
      const { taken, back } = sums.get(orderId) ?? { taken: [], back: 0 };
      const whole = smallestOf(currency, price);
      const order = hasLeft ? closed.get(paypalOrderId) : own.get(orderId);
      const state = ["completed", "partly_refunded", "refunded"].find(
        (_, i) => i === (back === 0 ? 0 : back < whole ? 1 : 2),
      );
      if (taken.length === 0) {
        expect(order?.state ?? "none").toMatch(/^(none|created|declined|capturing)$/);
        expect(given.get(orderId)).toBeUndefined();
        continue;
      }
      paid++;
      expect(taken).toEqual([whole]);
      expect(order).toMatchObject({ state, refunded: back });
      const heard = toldOf.get(hasLeft ? (order as { book_id: string }).book_id : orderId) ?? [];
      const left = heard.filter(({ kind }) => kind === "left").map(({ cents }) => cents);
      if (back > 0) expect(Math.min(...left)).toBe(Math.floor((usdCents * (whole - back)) / whole));
      expect(new Set(left).size).toBe(left.length);
      if (hasLeft) continue;
      expect(heard.filter(({ kind }) => kind === "paid")).toEqual([
        { kind: "paid", order_id: orderId, cents: usdCents },
      ]);
      expect(given.get(orderId)).toMatchObject({
        source: "order",
        taken_months: months - Math.ceil((months * (whole - back)) / whole),
      });
    }
    if (hasLeft) {
      expect([has, memberships.get(no)]).toEqual([[], undefined]);
      continue;
    }
    const count = (source: string) => has.filter((grant) => grant.source === source).length;
    expect([count("coupon"), count("operator")]).toEqual([coupons, granted]);
    expect(coupons).toBeLessThanOrEqual(1);
    const until = has.reduce<Date | null>((before, { at, year, month, taken_months }) => {
      const left = year * 12 + month - taken_months;
      if (left === 0) return before;
      return addMonths(before && before > at ? before : at, left);
    }, null);
    expect(memberships.get(no) ?? null).toEqual(until);
  }
  const believed = [...own.values(), ...closed.values()]
    .filter(({ state }) => /^(completed|partly_refunded|refunded)$/.test(state))
    .map(({ currency, price, refunded }) => [currency, smallestOf(currency, price) - refunded] as const);
  for (const currency of currencies) {
    const ours = believed.reduce((sum, [of, units]) => sum + (of === currency ? units : 0), 0);
    const theirs = book
      .filter((entry) => entry.currency === currency)
      .reduce((sum, { kind, units }) => sum + (kind === "taken" ? units : -units), 0);
    expect([currency, ours]).toEqual([currency, theirs]);
  }
  return paid;
}

async function inTurns<T, R>(list: readonly T[], atOnce: number, run: (one: T, index: number) => Promise<R>) {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < list.length; i = next++) results[i] = await run(list[i]!, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

test(
  "whatever happens on the way, what PayPal took and gave back is what members have, to the cent",
  async () => {
    const histories = fc.sample(history, { numRuns: HISTORIES, seed: SEED });
    let paid = 0;
    for (let from = 0; from < HISTORIES; from += IN_A_WORLD) {
      const world = await openWorld();
      const some = histories.slice(from, from + IN_A_WORLD);
      const all = await inTurns(some, AT_ONCE, (steps, i) => play(world, steps, `m${i}`));
      await comeToRest(world, all);
      paid += await audit(world, all);
      await Promise.all(world.servers.map((server) => server.close()));
      await world.paypal.close();
    }
    // Histories in which nothing is bought would prove nothing.
    expect(paid).toBeGreaterThan(HISTORIES / 5);
  },
  60_000 + HISTORIES * 500,
);
