import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { logIn, logOut, refreshTokens } from "@alcove/contract/accounts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { statusOf } from "../../testing/session-status.ts";
import { expectError } from "../../testing/test-service.ts";
import { makeAccessToken } from "./tokens.ts";

test("accepts an access token for fifteen minutes and returns a new pair on refresh", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(15 * MINUTE_MS - SECOND_MS);
  expect((await statusOf(service, hanako.access)).status).toBe(200);
  service.clock.advance(2 * SECOND_MS);
  expect(await statusOf(service, hanako.access)).toEqual({ status: 401, code: "token_expired" });

  const pair = await service.call(refreshTokens, { refresh: hanako.refresh });
  expect((await statusOf(service, pair.access)).status).toBe(200);
});

test("ends only its own session when a rotated refresh token is used again", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const other = await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });

  const second = await service.call(refreshTokens, { refresh: hanako.refresh });
  const third = await service.call(refreshTokens, { refresh: second.refresh });
  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");

  await expectError(service.call(refreshTokens, { refresh: third.refresh }), "login_required");
  for (const { access } of [hanako, second, third]) {
    expect(await statusOf(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await statusOf(service, other.access)).status).toBe(200);
});

test("returns the same refresh token when a request with the same clientId is retried", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const clientId = randomUUID();
  const again = { refresh: hanako.refresh, clientId };

  const pairs = await Promise.all(Array.from({ length: 20 }, () => service.call(refreshTokens, again)));

  const [first] = pairs;
  expect(new Set(pairs.map(({ refresh }) => refresh)).size).toBe(1);
  for (const { access } of pairs) expect((await statusOf(service, access)).status).toBe(200);
  expect((await service.call(refreshTokens, { ...again, clientId: clientId.toUpperCase() })).refresh).toBe(
    first!.refresh,
  );
  await service.call(refreshTokens, { refresh: first!.refresh, clientId: randomUUID() });
});

test.each([
  ["another clientId", { clientId: randomUUID() }],
  ["none", {}],
])("ends the session when a rotated refresh token comes with %s", async (_, how) => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const pair = await service.call(refreshTokens, { refresh: hanako.refresh, clientId: randomUUID() });

  await expectError(service.call(refreshTokens, { refresh: hanako.refresh, ...how }), "login_required");

  await expectError(service.call(refreshTokens, { refresh: pair.refresh }), "login_required");
});

test("accepts a retry only until the next refresh or the end of the session", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const lost = { refresh: hanako.refresh, clientId: randomUUID() };
  const pair = await service.call(refreshTokens, lost);
  const next = await service.call(refreshTokens, { refresh: pair.refresh, clientId: randomUUID() });

  await expectError(service.call(refreshTokens, lost), "login_required");
  await expectError(service.call(refreshTokens, { refresh: next.refresh }), "login_required");

  const taro = await service.member("taro", { at: null });
  const mine = { refresh: taro.refresh, clientId: randomUUID() };
  const { refresh } = await service.call(refreshTokens, mine);
  await service.call(logOut, { token: refresh });
  await expectError(service.call(refreshTokens, mine), "login_required");
});

test("ends nothing when a refresh token is invented", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const { refresh } = hanako;
  const changedAt = (at: number) =>
    `${refresh.slice(0, at)}${refresh[at] === "A" ? "B" : "A"}${refresh.slice(at + 1)}`;

  const forged = [
    changedAt(3), // nonce
    changedAt(30), // session
    changedAt(60), // tag
    refresh.slice(0, -1),
    "A".repeat(refresh.length),
    "..",
    "\u0000",
    `${refresh}.`,
    `${refresh}=`,
    hanako.access,
  ];
  for (const refresh of forged) await expectError(service.call(refreshTokens, { refresh }), "login_required");
  for (const token of forged) await service.call(logOut, { token });

  expect((await statusOf(service, hanako.access)).status).toBe(200);
  await service.call(refreshTokens, { refresh: hanako.refresh });
});

test("ends only the session of the access token when the refresh token is unreadable", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });

  await taro.call(logOut, { token: "lost" });
  await service.fetch("/en/users/api/logout", {
    method: "DELETE",
    headers: { authorization: "Bearer lost" },
    body: new URLSearchParams({ token: "lost" }),
  });

  expect((await statusOf(service, taro.access)).status).toBe(401);
  expect((await statusOf(service, hanako.access)).status).toBe(200);
});

test("returns one pair and ends the session when many refreshes use one token at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => service.call(refreshTokens, { refresh: hanako.refresh })),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  expect((await statusOf(service, hanako.access)).status).toBe(401);
});

test("rejects an access token that is changed or of another kind", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const { access, memberId } = hanako;
  const key = { memberId, session: (await service.ctx.authenticate(access)).session };
  const elsewhere = { ...service.ctx.secrets, token: "a key of somebody else, long enough." };

  for (const wrong of [
    makeAccessToken(elsewhere, key, service.clock.now()),
    `${access[0] === "A" ? "B" : "A"}${access.slice(1)}`,
    access.slice(0, -1),
    `${access}=`,
    hanako.refresh,
    "x",
  ])
    expect(await statusOf(service, wrong)).toEqual({ status: 401, code: "login_required" });
  expect((await service.fetch("/en/users/api/user")).status).toBe(401);
});

test("hides member and session in short tokens", async () => {
  const service = await serviceForTest();
  const { access, refresh, memberId } = await service.member("hanako", { at: null });
  const { session } = await service.ctx.authenticate(access);

  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(memberId));
  const bytes = Buffer.from(session.replaceAll("-", ""), "hex");
  for (const token of [access, refresh]) {
    const sealed = Buffer.from(token, "base64url");
    expect([sealed.includes(number), sealed.includes(bytes), token.includes(session)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(token.length).toBeLessThan(80);
  }
});

test("ends a session when it is not refreshed for ninety days", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(90 * DAY_MS);

  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
});
