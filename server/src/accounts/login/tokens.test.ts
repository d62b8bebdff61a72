import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { logIn, logOut, refreshTokens } from "@alcove/contract/accounts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/match.ts";
import { statusOf } from "../../testing/session-status.ts";
import { expectError } from "../../testing/test-service.ts";

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
  const [session, random, signature] = hanako.refresh.split(".") as [string, string, string];
  const changed = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;

  const forged = [
    `${session}.${random}.${changed}`,
    `${session}.${"A".repeat(32)}.${signature}`,
    `${session}.${random}`,
    session,
    "..",
    `${randomUUID()}.${random}.${signature}`,
    "\u0000",
    `${hanako.refresh}.`,
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

test("rejects an access token when its key or algorithm is wrong or missing", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const [head, body] = hanako.access.split(".") as [string, string, string];
  const session = (JSON.parse(Buffer.from(body, "base64url").toString()) as { sid: string }).sid;
  const visitor = await new SignJWT({ sid: session })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(Buffer.from("a key of somebody else, long enough."));
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`;

  for (const access of [visitor, none, `${head}.${body}.`, hanako.refresh, "x"]) {
    expect(await statusOf(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await service.fetch("/en/users/api/user")).status).toBe(401);
});

test("includes only session and expiry in an access token", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const claims = JSON.parse(Buffer.from(hanako.access.split(".")[1]!, "base64url").toString()) as object;

  expect(Object.keys(claims).toSorted()).toEqual(["exp", "sid"]);
});

test("ends a session when it is not refreshed for ninety days", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(90 * DAY_MS);

  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
});
