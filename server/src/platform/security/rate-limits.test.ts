import { expect, test } from "vitest";
import { getOwnUser, getWsTicket, logIn } from "@alcove/contract/accounts";
import { getOptions, saveLocation } from "@alcove/contract/discovery";
import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { readConfig } from "../../config.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro } from "../../testing/match.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../clock.ts";
import { networkOf } from "./client-network.ts";

const withLimits = { config: { hasRateLimits: true } };
const PER_NETWORK = { name: "tests_per_network", max: 20, windowMs: HOUR_MS };
const DAILY = { name: "tests", max: 20, windowMs: DAY_MS };
const TOKYO = "139.7671,35.6812";

/** Counts the accepted attempts, and checks that all others got the same error. */
async function countAccepted(attempts: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(attempts);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(new Set(reasons.map((reason: { code: string }) => reason.code)).size).toBeLessThanOrEqual(1);
  for (const reason of reasons) expect(reason).toMatchObject({ status: 429, code: "too_many_requests" });
  return outcomes.length - reasons.length;
}

test("enforces limits unless they are off", () => {
  expect(readConfig({}).hasRateLimits).toBe(true);
  expect(readConfig({ RATE_LIMITS: "off" }).hasRateLimits).toBe(false);
});

test("limits locations to thirty an hour and returns the time until the next one", async () => {
  const service = await serviceForTest(withLimits);
  let hanako = await service.member("hanako", { at: null });
  for (let i = 0; i < 30; i++) {
    await hanako.call(saveLocation, { location: TOKYO });
    service.clock.advance(20 * SECOND_MS);
  }

  const response = await hanako.fetch("/ja/users/api/user", {
    method: "PATCH",
    body: new URLSearchParams({ location: TOKYO }),
  });
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe(String(50 * 60));
  expect(await response.json()).toEqual({
    code: "too_many_requests",
    error_message: "いまはご利用の上限に達しています。1時間以内にまたご利用いただけます。",
  });

  service.clock.advance(50 * MINUTE_MS - 1);
  hanako = await logInAgain(service, hanako);
  await expectError(hanako.call(saveLocation, { location: TOKYO }), "too_many_requests");
  service.clock.advance(1);
  await hanako.call(saveLocation, { location: TOKYO });
  await expectError(hanako.call(saveLocation, { location: TOKYO }), "too_many_requests");
});

test("accepts sixty of two hundred messages when they come to two processes at the same time", async () => {
  const service = await serviceForTest(withLimits);
  const other = await serviceForTest({ ...withLimits, beside: service });
  const { hanako } = await hanakoAndTaro(service);
  const there = service.memberAt(hanako, other.url);

  const attempts = Array.from({ length: 200 }, (_, i) =>
    (i % 2 ? hanako : there).call(sendDm, { receiverId: "taro", description: `${i}` }),
  );

  expect(await countAccepted(attempts)).toBe(60);
  service.clock.advance(MINUTE_MS);
  await there.call(sendDm, { receiverId: "taro", description: "a minute later" });
});

test("does not count requests of an ended session against the member's limit", async () => {
  const service = await serviceForTest(withLimits);
  const { hanako } = await hanakoAndTaro(service);
  const write = () => hanako.call(sendDm, { receiverId: "taro", description: "Again" });
  const endAt = (ended_at: Date | null) =>
    service.db.updateTable("sessions").set({ ended_at }).where("member_no", "=", hanako.memberId).execute();
  await write();

  await endAt(service.clock.now());
  for (let i = 0; i < 65; i++) await expectError(write(), "login_required");

  await endAt(null);
  await write();
});

test("limits a member to six hundred reads a minute, and no other member", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await service.member("hanako");
  const taro = await service.member("taro");
  const reads = [() => hanako.call(getOwnUser, {}), () => hanako.call(getLastDms, {})];

  for (let i = 0; i < 30; i++) {
    expect(await countAccepted(Array.from({ length: 20 }, (_, j) => reads[j % 2]!()))).toBe(20);
  }
  const rejected = await hanako.fetch("/en/users/api/user");
  expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "60"]);
  await expectError(hanako.call(getOptions, {}), "too_many_requests");

  await hanako.call(getWsTicket, {});
  await taro.call(getOwnUser, {});
  service.clock.advance(MINUTE_MS);
  await hanako.call(getOwnUser, {});
});

test("stays within the limit, and within a batch per process below it, when several processes read", async () => {
  const service = await serviceForTest(withLimits);
  const other = await serviceForTest({ ...withLimits, beside: service });
  const hanako = await service.member("hanako", { at: null });
  const there = service.memberAt(hanako, other.url);

  let count = 0;
  for (let i = 0; i < 16; i++) {
    count += await countAccepted(
      Array.from({ length: 50 }, (_, j) => (j % 7 ? hanako : there).call(getOwnUser, {})),
    );
  }

  expect(count).toBeLessThanOrEqual(600);
  expect(count).toBeGreaterThan(600 - 20);
});

test("stores no subject in clear and deletes expired hits", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await service.member("hanako");
  await hanako.call(getOwnUser, {});
  await expectError(service.call(logIn, { user_id: "hanako", password: "wrong" }), "wrong_credentials");

  const rows = await service.db.selectFrom("rate_limits").selectAll().execute();
  expect(rows).toHaveLength(6); // a position, a batch of reads, an account twice, a network and its /24
  for (const row of rows) {
    expect(row.subject_digest).toHaveLength(32);
    expect(Object.keys(row).toSorted()).toEqual(["expires_at", "hits", "subject_digest"]);
  }

  service.clock.advance(15 * MINUTE_MS);
  await service.ctx.rateLimits.deleteExpired();
  expect(await service.db.selectFrom("rate_limits").selectAll().execute()).toHaveLength(1);
  service.clock.advance(45 * MINUTE_MS);
  await service.ctx.rateLimits.deleteExpired();
  expect(await service.db.selectFrom("rate_limits").selectAll().execute()).toEqual([]);
});

test("keeps no hit for longer than two days, however often the subject comes back", async () => {
  const { ctx, db, clock } = await serviceForTest(withLimits);
  const oldest = async () => {
    const { hits } = await db.selectFrom("rate_limits").select("hits").executeTakeFirstOrThrow();
    return clock.now().getTime() - hits[0]!.getTime();
  };

  for (let visit = 0; visit < 6; visit++) {
    await ctx.rateLimits.consume(DAILY, "hanako");
    await ctx.rateLimits.record(DAILY, "hanako");
    clock.advance(DAY_MS - HOUR_MS);
    await ctx.rateLimits.deleteExpired();
    expect(await oldest()).toBeLessThan(2 * DAY_MS);
  }
});

test("bounds the attempts and rows of an attacker with all networks of a /48, and spares other networks", async () => {
  const { ctx, db } = await serviceForTest(withLimits);
  const consume = (ip: string) => ctx.rateLimits.consume(PER_NETWORK, networkOf(ip));
  const outcomes: PromiseSettledResult<void>[] = [];
  for (let i = 0; i < 400; i++)
    outcomes.push(...(await Promise.allSettled([consume(`2001:db8:1:${i.toString(16)}::1`)])));

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(8 * 20);
  expect(await db.selectFrom("rate_limits").selectAll().execute()).toHaveLength(8 * 20 + 2);
  await consume("2001:db8:2:1::1");
  await consume("203.0.113.7");
  await expect(consume("2001:db8:1:ffff::1")).rejects.toMatchObject({ code: "too_many_requests" });
});

test("does not count the attempts of a full network for the wider ones", async () => {
  const { ctx } = await serviceForTest(withLimits);
  const consume = (ip: string) => ctx.rateLimits.consume(PER_NETWORK, networkOf(ip));

  await Promise.allSettled(Array.from({ length: 400 }, () => consume("2001:db8:1:1::1")));

  await consume("2001:db8:1:2::1");
});

test("refunds a hit in the wider networks too", async () => {
  const { ctx } = await serviceForTest(withLimits);
  for (let i = 0; i < 300; i++) {
    const network = networkOf(`2001:db8:1:${i.toString(16)}::1`);
    const attempt = await ctx.rateLimits.consumeAll([[PER_NETWORK, network]]);
    await attempt.refund();
  }

  await ctx.rateLimits.consumeAll([[PER_NETWORK, networkOf("2001:db8:1:ffff::1")]]);
});

test("counts nothing when limits are off", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: false } });
  const hanako = await service.member("hanako", { at: null });

  for (let i = 0; i < 31; i++) await hanako.call(saveLocation, { location: TOKYO });

  expect(await service.db.selectFrom("rate_limits").selectAll().execute()).toEqual([]);
});
