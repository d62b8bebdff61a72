import { afterEach, expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ErrorCode } from "@alcove/contract/errors";
import { captureOrder, createOrder, getOrder, getOrders, getRegions } from "@alcove/contract/membership";
import { mergeRegions, type Regions } from "@alcove/contract/regions";
import { serviceForTest } from "../testing/service-for-test.ts";
import { buy, order, fakePayPalForFile } from "../testing/paypal.ts";
import { expectError, testService, type TestMember, type TestService } from "../testing/test-service.ts";

const { paypal, config } = await fakePayPalForFile();
afterEach(() => paypal.clearFaults());

const shop = () => serviceForTest({ config });
const takenFor = async (id: string) =>
  (await paypal.ledger()).filter(({ kind, reference }) => kind === "taken" && reference === id);
const userOf = async (member: TestMember) => (await member.call(getOwnUser, {})).user;
const grantsOf = ({ db }: TestService) => db.selectFrom("grants").select(["grant_id", "source"]).execute();

test.each([
  ["USD", 110, "110.00"],
  ["JPY", 16_500, "16500"],
  ["TWD", 3_400, "3400"],
] as const)("buys a year and three months for %s %i", async (currency, price, value) => {
  const service = await shop();
  service.clock.set("2026-01-31T12:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  expect(await hanako.call(getOrders, {})).toEqual({ orders: [], grants: [] });

  const bought = await buy(paypal, hanako, { year: 1, month: 3, currency });

  expect(bought.paypal_order_data).toEqual({
    id: bought.paypal_order_id,
    status: "COMPLETED",
    purchase_units: [
      {
        payments: {
          captures: [
            { id: bought.capture_id, status: "COMPLETED", amount: { currency_code: currency, value } },
          ],
        },
      },
    ],
  });
  expect(bought.user).toMatchObject({ status: "paid", paid_account_expired_at: "2027-04-30T12:00:00.000Z" });
  expect(bought.order).toEqual({
    id: bought.order_id,
    number: expect.stringMatching(/^2026-\d{6}$/),
    kind: "paypal",
    year: 1,
    month: 3,
    price,
    currency,
    status: "completed",
    payment_successed_at: "2026-01-31T12:00:00.000Z",
    withdraw_until: "2026-02-18T00:00:00.000Z",
    withdrawn_at: null,
    transfer: null,
  });
  expect(bought.order_id[14]).toBe("7");
  expect(await hanako.call(getOrders, {})).toEqual({ orders: [bought.order], grants: [] });
  expect(await hanako.call(getOrder, { order_id: bought.order_id })).toEqual({ order: bought.order });
  expect(await takenFor(bought.order_id)).toHaveLength(1);
});

test("adds a second purchase to the remaining time and lists the newest order first", async () => {
  const service = await shop();
  service.clock.set("2026-03-10T00:00:00Z");
  const hanako = await service.member("hanako", { at: null });

  const first = await buy(paypal, hanako, { month: 2 });
  service.clock.advance(1_000);
  const second = await buy(paypal, hanako, { year: 1 });

  expect(second.user.paid_account_expired_at).toBe("2027-05-10T00:00:00.000Z");
  expect((await hanako.call(getOrders, {})).orders.map(({ id }) => id)).toEqual([
    second.order_id,
    first.order_id,
  ]);
});

test("rejects a plan that is empty, fractional, too large or at another price", async () => {
  const { member, db } = await shop();
  const hanako = await member("hanako", { at: null });
  const right = { currency: "USD", price: 20, year: 0, month: 2 } as const;

  const empty = await expectError(
    hanako.call(createOrder, { ...right, price: 0, month: 0 }, "en"),
    "invalid_input",
  );
  expect(empty.body).toEqual({
    code: "invalid_input",
    error_message: "Please fill plan that you buy",
    validation_errors: { year: ["plan_required"] },
  });
  for (const [wrong, field, message] of [
    [{ price: 19 }, "price", "price_differs"],
    [{ price: 10 }, "price", "price_differs"],
    [{ price: 0 }, "price", "price_differs"],
    [{ price: 20, currency: "TWD" }, "price", "price_differs"],
    [{ price: 20.5 }, "price", "whole_number"],
    [{ price: -20, month: -2 }, "price", "too_small"],
    [{ month: -2 }, "month", "too_small"],
    [{ month: 0.5 }, "month", "whole_number"],
    [{ year: 1e9 }, "year", "too_big"],
    [{ year: "two" }, "year", "whole_number"],
    [{ month: null }, "month", "required"],
    [{ currency: "EUR" }, "currency", "unknown_choice"],
  ] as const) {
    const input = { ...right, ...wrong } as never;
    const { body } = await expectError(hanako.call(createOrder, input), "invalid_input");
    expect(body["validation_errors"], JSON.stringify(wrong)).toMatchObject({ [field]: [message] });
  }
  expect(await db.selectFrom("orders").selectAll().execute()).toEqual([]);
});

test("sells to no closed country, no longer plan than the law allows, and asks for a country if it must", async () => {
  const { regions } = mergeRegions({ DE: { open: false } }) as { regions: Regions };
  const service = await serviceForTest({ config: { ...config, regions, isCountryRequired: true } });
  const hanako = await service.member("hanako", { at: null });
  const statusOf = async (plan: Parameters<typeof order>[1], code: ErrorCode) =>
    (await expectError(order(hanako, plan), code)).status;

  expect(await statusOf({ month: 1, country: "DE" }, "country_closed")).toBe(422);
  expect(await statusOf({ month: 1 }, "country_required")).toBe(422);
  expect(await statusOf({ year: 3, country: "US-NY" }, "plan_too_long")).toBe(422);
  for (const country of ["XX", "UK", "US-XX", "Germany"]) {
    const { body } = await expectError(order(hanako, { month: 1, country }), "invalid_input");
    expect(body["validation_errors"]).toEqual({ country: ["unknown_choice"] });
  }
  expect(await service.db.selectFrom("orders").selectAll().execute()).toEqual([]);
  await order(hanako, { year: 2, country: "us-ny" });
  expect(await hanako.call(getRegions, {})).toMatchObject({
    country: "US-NY",
    regions: { DE: { open: false }, TW: { tax: 0.05 } },
  });
});

test("returns payments_off without PayPal credentials", async () => {
  const { member } = await serviceForTest({ config: { paypal: null } });
  const hanako = await member("hanako", { at: null });

  expect((await expectError(order(hanako), "payments_off")).status).toBe(422);
});

test("returns order_not_found to everyone but the buyer", async () => {
  const { member } = await shop();
  const hanako = await member("hanako", { at: null });
  const taro = await member("taro", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);

  const errors = [];
  for (const id of [order_id, "01890a5d-ac96-774b-bcce-b302099a8057"]) {
    errors.push(await expectError(taro.call(captureOrder, { order_id: id }), "order_not_found"));
    errors.push(await expectError(taro.call(getOrder, { order_id: id }), "order_not_found"));
  }

  expect(new Set(errors.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(errors[0]!.status).toBe(404);
  expect(await takenFor(order_id)).toEqual([]);
  const { user } = await hanako.call(captureOrder, { order_id: order_id.toUpperCase() });
  expect(user.status).toBe("paid");
});

test("captures once and grants once when fifty captures run in parallel at two processes", async () => {
  const service = await shop();
  service.clock.set("2026-03-10T00:00:00Z");
  const second = await testService({ beside: service, config });
  const buyers = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const member = await service.member(`buyer${i}`, { at: null });
      const made = await order(member);
      await paypal.approve(made.paypal_order_id);
      return { member, ...made };
    }),
  );

  const responses = await Promise.allSettled(
    buyers.flatMap(({ member, order_id }) =>
      Array.from({ length: 50 / 2 }, () => [member, second.memberAt(member)])
        .flat()
        .map((one) => one.call(captureOrder, { order_id })),
    ),
  );

  // PayPal rejects a capture that runs in the other process; the client retries.
  for (const response of responses) {
    if (response.status === "rejected")
      await expectError(Promise.reject(response.reason), "payments_unavailable");
    else expect(response.value.order.status).toBe("completed");
  }
  for (const { member, order_id } of buyers) {
    const { user } = await member.call(captureOrder, { order_id });
    expect(user.paid_account_expired_at).toBe("2026-04-10T00:00:00.000Z");
    expect(await takenFor(order_id)).toHaveLength(1);
  }
  expect(await grantsOf(service)).toHaveLength(4);
});

test("returns the same response twice for a double click", async () => {
  const { member } = await shop();
  const hanako = await member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);

  const [first, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => hanako.call(captureOrder, { order_id })),
  );

  expect(first!.order.status).toBe("completed");
  for (const other of others) expect(other).toEqual(first);
});

test("returns PayPal's details for an unapproved order, which can be captured after the approval", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);

  const early = await hanako.call(captureOrder, { order_id });
  await paypal.approve(paypal_order_id);
  const late = await hanako.call(captureOrder, { order_id });

  expect(early.paypal_order_data.details).toMatchObject([{ issue: "ORDER_NOT_APPROVED" }]);
  expect(early.paypal_order_data.debug_id).toMatch(/\S/);
  expect(early).toMatchObject({ user: { status: "free" }, order: { status: "created" } });
  expect(late).toMatchObject({ user: { status: "paid" }, order: { status: "completed" } });
});

test("grants nothing for a declined payment and retries under a new request id", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id, true);

  const declined = await hanako.call(captureOrder, { order_id });
  const shown = await hanako.call(getOrders, {});
  const again = await hanako.call(captureOrder, { order_id });

  expect(declined.paypal_order_data.details).toMatchObject([{ issue: "INSTRUMENT_DECLINED" }]);
  expect(declined).toMatchObject({
    user: { status: "free" },
    order: { status: "declined", payment_successed_at: null },
  });
  expect(shown).toEqual({ orders: [], grants: [] });
  expect(again).toMatchObject({ user: { status: "paid" }, order: { status: "completed" } });
  expect(await takenFor(order_id)).toHaveLength(1);
});

test.each(["failing after", "hanging up after", "garbled after"] as const)(
  "finds the payment by reading the order when PayPal is %s a capture",
  async (fault) => {
    const service = await shop();
    const hanako = await service.member("hanako", { at: null });
    const { order_id, paypal_order_id } = await order(hanako);
    await paypal.approve(paypal_order_id);
    await paypal.injectFault({ call: "capture order", fault, of: paypal_order_id });

    const { user } = await hanako.call(captureOrder, { order_id });

    expect(user.status).toBe("paid");
    expect(await takenFor(order_id)).toHaveLength(1);
    expect(await grantsOf(service)).toHaveLength(1);
  },
);

test.each(["failing", "hanging up", "garbled", "too many requests"] as const)(
  "returns an error and lets the member retry when PayPal is %s before a capture",
  async (fault) => {
    const { member } = await shop();
    const hanako = await member("hanako", { at: null });
    const { order_id, paypal_order_id } = await order(hanako);
    await paypal.approve(paypal_order_id);
    await paypal.injectFault({ call: "capture order", fault, of: paypal_order_id });

    expect((await expectError(hanako.call(captureOrder, { order_id }), "payments_unavailable")).status).toBe(
      503,
    );
    expect((await userOf(hanako)).status).toBe("free");
    expect((await hanako.call(getOrders, {})).orders).toMatchObject([{ status: "pending" }]);
    const { user } = await hanako.call(captureOrder, { order_id });

    expect(user.status).toBe("paid");
    expect(await takenFor(order_id)).toHaveLength(1);
  },
);

test("stores nothing when PayPal cannot create the order", async () => {
  const { member, db } = await shop();
  const hanako = await member("hanako", { at: null });
  await paypal.injectFault({ call: "create order", fault: "failing after" });

  await expectError(order(hanako), "payments_unavailable");

  expect(await db.selectFrom("orders").selectAll().execute()).toEqual([]);
});

test.each([
  { price: 8, currency: "USD" },
  { price: 10, currency: "JPY" },
] as const)("grants nothing for a payment that does not match the order: %j", async (changed) => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const { order_id, paypal_order_id } = await order(hanako);
  await paypal.approve(paypal_order_id);
  await service.db.updateTable("orders").set(changed).execute();

  await expectError(hanako.call(captureOrder, { order_id }), "payment_unclear");
  await expectError(hanako.call(captureOrder, { order_id }), "payment_unclear");

  expect((await userOf(hanako)).status).toBe("free");
  expect(await grantsOf(service)).toEqual([]);
});

test("grants nothing for a PayPal order of another order", async () => {
  const service = await shop();
  const hanako = await service.member("hanako", { at: null });
  const [mine, other] = [await order(hanako), await order(hanako)];
  await paypal.approve(other.paypal_order_id);
  await service.db
    .updateTable("orders")
    .set({ paypal_order_id: other.paypal_order_id })
    .where("order_id", "=", mine.order_id)
    .execute();

  await expectError(hanako.call(captureOrder, { order_id: mine.order_id }), "payment_unclear");

  expect(await grantsOf(service)).toEqual([]);
});
