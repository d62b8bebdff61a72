import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { checkCoupon, useCoupon } from "@alcove/contract/membership";
import { DAY_MS } from "../platform/clock.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, testService, type TestService } from "../testing/test-service.ts";
import { createCoupon } from "./index.ts";

const make = ({ ctx, clock }: TestService, id: string, maxUses = 1, plan = { year: 0, month: 1 }) =>
  createCoupon(ctx, { id, ...plan, maxUses, expiresAt: new Date(clock.now().getTime() + DAY_MS) });

test("grants a coupon's years and months, typed in any case", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-01-31T12:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  await make(service, "SPRING-2026", 3, { year: 1, month: 1 });

  const { coupon } = await hanako.call(checkCoupon, { coupon_id: " ｓpring-2026 " });
  const { user } = await hanako.call(useCoupon, { coupon_id: "Spring-2026" });

  expect(coupon).toEqual({
    id: "SPRING-2026",
    year: 1,
    month: 1,
    expires_at: "2026-02-01T12:00:00.000Z",
    max_uses: 3,
    used: 0,
  });
  expect(user).toMatchObject({ status: "paid", paid_account_expired_at: "2027-02-28T12:00:00.000Z" });
});

test("returns the reason why a coupon cannot be used", async () => {
  const service = await serviceForTest();
  const { clock, db } = service;
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  for (const id of ["ONCE", "OLD", "OFF"]) await make(service, id);
  await db.updateTable("coupons").set({ disabled_at: clock.now() }).where("coupon_id", "=", "OFF").execute();
  await db.updateTable("coupons").set({ expires_at: clock.now() }).where("coupon_id", "=", "OLD").execute();
  await taro.call(useCoupon, { coupon_id: "once" });

  for (const call of [checkCoupon, useCoupon]) {
    for (const [coupon_id, code, status] of [
      ["nobody-here", "coupon_not_found", 404],
      ["a\u0000b", "coupon_not_found", 404],
      ["' or 1=1", "coupon_not_found", 404],
      ["old", "coupon_expired", 422],
      ["off", "coupon_expired", 422],
      ["once", "coupon_used_up", 422],
    ] as const) {
      expect((await expectError(hanako.call(call, { coupon_id }), code)).status).toBe(status);
    }
    await expectError(taro.call(call, { coupon_id: "once" }), "coupon_used");
    await expectError(hanako.call(call, { coupon_id: " " }), "invalid_input");
  }
  expect((await hanako.call(getOwnUser, {})).user.status).toBe("free");
});

test("grants a coupon at most max_uses times, once per member, when fifty uses run in parallel at two processes", async () => {
  const service = await serviceForTest();
  const second = await testService({ beside: service });
  const members = await Promise.all(
    Array.from({ length: 25 }, (_, i) => service.member(`member${i}`, { at: null })),
  );
  await make(service, "TEN", 10);

  const uses = await Promise.allSettled(
    members.flatMap((one) =>
      [one, second.memberAt(one)].map((at) => at.call(useCoupon, { coupon_id: "TEN" })),
    ),
  );

  expect(uses.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  const paid = await Promise.all(members.map(async (one) => (await one.call(getOwnUser, {})).user));
  expect(paid.filter(({ status }) => status === "paid")).toHaveLength(10);
  const { used } = await service.db.selectFrom("coupons").select("used").executeTakeFirstOrThrow();
  expect(used).toBe(10);
  const grants = await service.db.selectFrom("grants").select("source").execute();
  expect(grants).toEqual(Array.from({ length: 10 }, () => ({ source: "coupon" })));
});

test("counts one use when a member applies a coupon fifty times in parallel", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-03-10T00:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  await make(service, "MANY", 100);

  const uses = await Promise.allSettled(
    Array.from({ length: 50 }, () => hanako.call(useCoupon, { coupon_id: "MANY" })),
  );

  expect(uses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { user } = await hanako.call(getOwnUser, {});
  expect(user.paid_account_expired_at).toBe("2026-04-10T00:00:00.000Z");
  const { used } = await service.db.selectFrom("coupons").select("used").executeTakeFirstOrThrow();
  expect(used).toBe(1);
});

test("allows twenty coupon checks an hour", async () => {
  const { member } = await serviceForTest({ config: { hasRateLimits: true } });
  const hanako = await member("hanako", { at: null });
  const guess = (i: number) => hanako.call(checkCoupon, { coupon_id: `GUESS${i}` });

  for (let i = 0; i < 20; i++) await expectError(guess(i), "coupon_not_found");
  await expectError(guess(20), "too_many_requests");
});
