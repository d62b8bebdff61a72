import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { lockMember } from "../members/locks.ts";
import { grantMembership, isPaid, paidUntil, revokeGift } from "./index.ts";
import { endGrant, revokeGrant } from "./memberships.ts";

const grant = (year: number, month: number, grantId: string = randomUUID()) =>
  ({ year, month, source: "operator", grantId }) as const;

test("adds years and months to the later of now and the expiry", async () => {
  const { ctx, clock, member } = await serviceForTest();
  clock.set("2026-01-31T12:00:00Z");
  const hanako = await member("hanako", { at: null });
  expect(await isPaid(ctx, hanako.memberId)).toBe(false);

  expect(await grantMembership(ctx, hanako.memberId, grant(0, 1))).toEqual(new Date("2026-02-28T12:00:00Z"));
  expect(await grantMembership(ctx, hanako.memberId, grant(1, 2))).toEqual(new Date("2027-04-30T12:00:00Z"));
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
    status: "paid",
    paid_account_expired_at: "2027-04-30T12:00:00.000Z",
    paid_account_term: { started_at: "2026-01-31T12:00:00.000Z", months: 15, time_zone: "UTC" },
  });

  clock.set("2030-05-05T00:00:00Z");
  expect(await isPaid(ctx, hanako.memberId)).toBe(false);
  expect(await grantMembership(ctx, hanako.memberId, grant(0, 1))).toEqual(new Date("2030-06-05T00:00:00Z"));
});

test("ends a membership at its exact time, of which only the hour is readable", async () => {
  const service = await serviceForTest();
  const { ctx, db, clock, member } = service;
  clock.set("2026-03-10T12:34:56.789Z");
  const hanako = await member("hanako");
  const until = await grantMembership(ctx, hanako.memberId, grant(0, 1));
  expect(until.toISOString()).toBe("2026-04-10T12:34:56.789Z");
  const stored = await db.selectFrom("memberships").select("paid_until_hour").executeTakeFirstOrThrow();
  expect(stored.paid_until_hour.toISOString()).toBe("2026-04-10T13:00:00.000Z");

  for (const [at, isStillPaid] of [
    ["2026-04-10T11:59:59.999Z", true],
    ["2026-04-10T12:34:56.788Z", true],
    ["2026-04-10T12:34:56.789Z", false],
    ["2026-04-10T13:00:00.000Z", false],
  ] as const) {
    clock.set(at);
    const { user } = await (await logInAgain(service, hanako)).call(getOwnUser, {});
    expect([at, await isPaid(ctx, hanako.memberId)]).toEqual([at, isStillPaid]);
    expect(user.paid_account_expired_at).toBe(isStillPaid ? until.toISOString() : null);
  }
});

test("counts a repeated grant once and loses none of many parallel grants", async () => {
  const { ctx, clock, member } = await serviceForTest();
  clock.set("2026-03-10T00:00:00Z");
  const hanako = await member("hanako", { at: null });
  const same = randomUUID();

  await Promise.all(
    Array.from({ length: 10 }, () => grantMembership(ctx, hanako.memberId, grant(0, 1, same))),
  );
  expect(await paidUntil(ctx, hanako.memberId)).toEqual(new Date("2026-04-10T00:00:00Z"));

  await Promise.all(Array.from({ length: 11 }, () => grantMembership(ctx, hanako.memberId, grant(0, 1))));
  expect(await paidUntil(ctx, hanako.memberId)).toEqual(new Date("2027-03-10T00:00:00Z"));
});

test("keeps all of a bought month that begins after a gift or a refunded purchase, which are taken in their midst", async () => {
  const { ctx, db, clock, member } = await serviceForTest();
  for (const taken of ["operator", "order"] as const) {
    clock.set("2027-01-01T00:00:00Z");
    const { memberId } = await member(`before-${taken}`, { at: null });
    const first = { ...grant(1, 0), source: taken };
    await grantMembership(ctx, memberId, first);
    clock.set("2027-03-01T00:00:00Z");
    await grantMembership(ctx, memberId, { ...grant(0, 1), source: "order" });
    clock.set("2027-06-01T00:00:00Z");

    if (taken === "operator") await revokeGift(ctx, memberId, null);
    else
      await db.transaction().execute(async (tx) => {
        await lockMember(tx, memberId);
        await revokeGrant(tx, ctx, memberId, first.grantId, { remaining: 0, total: 80 });
      });

    expect([taken, await paidUntil(ctx, memberId)]).toEqual([taken, new Date("2027-07-01T00:00:00Z")]);
  }
});

test("adds no time when a purchase that is used up ends once more", async () => {
  const { ctx, db, clock, member } = await serviceForTest();
  clock.set("2027-01-01T00:00:00Z");
  const { memberId } = await member("hanako", { at: null });
  const first = grant(0, 1);
  await grantMembership(ctx, memberId, first);
  await grantMembership(ctx, memberId, grant(0, 1));
  clock.set("2027-02-15T00:00:00Z");

  await db.transaction().execute((tx) => endGrant(tx, ctx, memberId, first.grantId, clock.now()));

  expect(await paidUntil(ctx, memberId)).toEqual(new Date("2027-03-01T00:00:00Z"));
});

test("rejects a grant to an unknown member", async () => {
  const { ctx } = await serviceForTest();

  await expect(grantMembership(ctx, 123_456, grant(1, 0))).rejects.toMatchObject({ code: "user_not_found" });
});
