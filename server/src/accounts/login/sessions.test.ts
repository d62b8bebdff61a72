import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import {
  endOtherSessions,
  endSession,
  getOwnUser,
  getSessions,
  getWsTicket,
  logIn,
  logOut,
  refreshTokens,
} from "@alcove/contract/accounts";
import { SOCKETS_MAX } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/messaging";
import { serviceForTest } from "../../testing/match.ts";
import { eventually, openSocket, expectError, type TestService } from "../../testing/test-service.ts";

const MINUTE = 60_000;

async function whoAmI(
  service: TestService,
  access: string,
): Promise<{ status: number; code: string | undefined }> {
  const response = await service.fetch("/en/users/api/user", {
    headers: { authorization: `Bearer ${access}` },
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

test("returns the same error when the password is wrong or the user id is unknown", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("without", { at: null });

  const errors = [];
  for (const user_id of ["hanako", "unknown", "without", "x\u0000y", "😀".repeat(200)]) {
    errors.push(
      (await expectError(service.call(logIn, { user_id, password: "wrong" }), "wrong_credentials")).body,
    );
  }

  expect(new Set(errors.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(errors[0]?.["error_message"]).toBe("ID or password is incorrect");
});

test("takes as long when the user id is unknown as when the password is wrong", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const times = { hanako: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < 18; i++) {
    const user_id = i % 2 ? "hanako" : "unknown";
    const start = performance.now();
    await expectError(service.call(logIn, { user_id, password: `wrong-${i}` }), "wrong_credentials");
    times[user_id].push(performance.now() - start);
  }
  const middle = (all: number[]) => all.toSorted((a, b) => a - b)[4]!;

  // Without Argon2 the request takes a tenth of the time.
  expect(middle(times.unknown)).toBeGreaterThan(middle(times.hanako) / 3);
});

test("keeps the device token of the first login", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const form = { user_id: "hanako", password: "quiet-evenings-7" };

  const first = await service.call(logIn, form);
  const second = await service.call(logIn, { ...form, device: first.device! });
  const odd = await service.call(logIn, { ...form, device: "not one of ours" });

  expect(second.device).toBe(first.device);
  expect(odd.device).toMatch(/^[\w-]{43}$/);
});

test("accepts an access token for fifteen minutes and returns a new pair on refresh", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(15 * MINUTE - 1_000);
  expect((await whoAmI(service, hanako.access)).status).toBe(200);
  service.clock.advance(2_000);
  expect(await whoAmI(service, hanako.access)).toEqual({ status: 401, code: "token_expired" });

  const pair = await service.call(refreshTokens, { refresh: hanako.refresh });
  expect((await whoAmI(service, pair.access)).status).toBe(200);
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
    expect(await whoAmI(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await whoAmI(service, other.access)).status).toBe(200);
});

test("returns the same refresh token when a request with the same clientId is retried", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const clientId = randomUUID();
  const again = { refresh: hanako.refresh, clientId };

  const pairs = await Promise.all(Array.from({ length: 20 }, () => service.call(refreshTokens, again)));

  const [first] = pairs;
  expect(new Set(pairs.map(({ refresh }) => refresh)).size).toBe(1);
  for (const { access } of pairs) expect((await whoAmI(service, access)).status).toBe(200);
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

  expect((await whoAmI(service, hanako.access)).status).toBe(200);
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

  expect((await whoAmI(service, taro.access)).status).toBe(401);
  expect((await whoAmI(service, hanako.access)).status).toBe(200);
});

test("returns one pair and ends the session when many refreshes use one token at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => service.call(refreshTokens, { refresh: hanako.refresh })),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  expect((await whoAmI(service, hanako.access)).status).toBe(401);
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
    expect(await whoAmI(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await service.fetch("/en/users/api/user")).status).toBe(401);
});

test("includes only session and expiry in an access token", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const claims = JSON.parse(Buffer.from(hanako.access.split(".")[1]!, "base64url").toString()) as object;

  expect(Object.keys(claims).toSorted()).toEqual(["exp", "sid"]);
});

test("ends access, refresh and sockets of only that session on every process when a member logs out", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const other = await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  const sockets = await Promise.all(
    [service, beside].map(({ url }) =>
      openSocket(`${url.replace("http", "ws")}/ws/events?token=${hanako.access}`),
    ),
  );
  const stays = await openSocket(`${service.url.replace("http", "ws")}/ws/events?token=${other.access}`);
  await eventually(() => expect(service.ctx.sockets.count + beside.ctx.sockets.count).toBe(3));

  await service.call(logOut, { token: hanako.refresh });

  expect((await whoAmI(beside, hanako.access)).code).toBe("login_required");
  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
  await eventually(() =>
    expect(sockets.map(({ closed }) => closed)).toEqual([closeCodes.badToken, closeCodes.badToken]),
  );
  expect(stays.closed).toBeNull();
  expect((await whoAmI(service, other.access)).status).toBe(200);
  await service.call(logOut, { token: hanako.refresh });
});

test("opens one socket per ticket, within thirty seconds, while its session is open", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const opens = async (ticket: string) => {
    const socket = await openSocket(
      `${service.url.replace("http", "ws")}/ws/events?ticket=${encodeURIComponent(ticket)}`,
    );
    const before = service.ctx.sockets.count;
    const outcome = await eventually(() => {
      if (socket.closed !== null) return socket.closed;
      if (service.ctx.sockets.count > before) return "open";
      throw new Error("neither open nor closed yet");
    });
    return outcome;
  };

  const { ticket } = await hanako.call(getWsTicket, {});
  const late = await hanako.call(getWsTicket, {});
  const lives = await openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));
  expect(await opens(ticket)).toBe(closeCodes.badToken);
  expect(await opens("\u0000")).toBe(closeCodes.badToken);
  service.clock.advance(30_000);
  expect(await opens(late.ticket)).toBe(closeCodes.badToken);

  const unused = await hanako.call(getWsTicket, {});
  await service.call(logOut, { token: hanako.refresh });
  expect(await opens(unused.ticket)).toBe(closeCodes.badToken);
  await eventually(() => expect(lives.closed).toBe(closeCodes.badToken));
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

async function logInWith(
  service: TestService,
  userAgent: string,
): Promise<{ access: string; refresh: string }> {
  const response = await service.fetch("/en/api/token/", {
    method: "POST",
    headers: { "user-agent": userAgent },
    body: new URLSearchParams({ user_id: "hanako", password: "quiet-evenings-7" }),
  });
  return (await response.json()) as { access: string; refresh: string };
}

test("lists the member's own sessions, the current one first, with day of last use and device", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-03-01T10:20:30Z");
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("taro", { at: null });
  service.clock.set("2026-03-03T01:00:00Z");
  const phone = await logInWith(service, IPHONE);
  const there = service.meet({ ...hanako, ...phone });

  const { sessions } = await there.call(getSessions, {}, "ja");
  expect(sessions).toEqual([
    {
      id: expect.any(String) as string,
      current: true,
      device_name: "iOSのSafari",
      created_at: "2026-03-03T01:00:00.000Z",
      last_used: "2026-03-03",
    },
    {
      id: expect.any(String) as string,
      current: false,
      device_name: "不明な端末",
      created_at: "2026-03-01T10:20:30.000Z",
      last_used: "2026-03-01",
    },
  ]);

  service.clock.set("2026-03-04T23:00:00Z");
  const renewed = service.meet({
    ...hanako,
    ...(await service.call(refreshTokens, { refresh: hanako.refresh })),
  });
  const seen = await renewed.call(getSessions, {});
  expect(
    seen.sessions.map(({ current, device_name, last_used }) => [current, device_name, last_used]),
  ).toEqual([
    [true, "Unknown device", "2026-03-04"],
    [false, "Safari on iOS", "2026-03-03"],
  ]);
});

test("omits ended sessions from the list", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const left = await logInWith(service, IPHONE);
  await service.call(logOut, { token: left.refresh });
  service.clock.advance(89 * 24 * 60 * MINUTE);
  const now = await logInWith(service, IPHONE);
  service.clock.advance(2 * 24 * 60 * MINUTE);
  const pair = await service.call(refreshTokens, { refresh: now.refresh });

  const { sessions } = await service.meet({ ...hanako, ...pair }).call(getSessions, {});

  expect(sessions.map(({ current }) => current)).toEqual([true]);
});

test("ends access, sockets and tickets of another device at once on every process", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const phone = service.meet({ ...hanako, ...(await logInWith(service, IPHONE)) });
  const [own, lost] = [
    await hanako.socket("/ws/events"),
    await service.meet(phone, beside.url).socket("/ws/events"),
  ];
  const { ticket } = await phone.call(getWsTicket, {});
  await eventually(() => expect(beside.ctx.sockets.count).toBe(1));
  const { sessions } = await hanako.call(getSessions, {});

  await hanako.call(endSession, { sessionId: sessions.find(({ current }) => !current)!.id });

  expect((await whoAmI(beside, phone.access)).code).toBe("login_required");
  await expectError(service.call(refreshTokens, { refresh: phone.refresh }), "login_required");
  await eventually(() => expect(lost.closed).toBe(closeCodes.badToken));
  const late = await openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  await eventually(() => expect(late.closed).toBe(closeCodes.badToken));
  expect(own.closed).toBeNull();
  expect((await hanako.call(getSessions, {})).sessions).toHaveLength(1);
});

test("ends only the member's other sessions when they log out everywhere else", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { at: null });
  const others = await Promise.all(Array.from({ length: 3 }, () => logInWith(service, IPHONE)));
  const socket = await service.meet({ ...hanako, ...others[0]! }).socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  await hanako.call(endOtherSessions, {});

  for (const { access } of others) expect((await whoAmI(service, access)).code).toBe("login_required");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  expect((await hanako.call(getSessions, {})).sessions.map(({ current }) => current)).toEqual([true]);
  expect((await whoAmI(service, taro.access)).status).toBe(200);
});

test("returns session_not_found for other members', ended and invented sessions alike", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { at: null });
  const [his] = (await taro.call(getSessions, {})).sessions;
  const left = await logInWith(service, IPHONE);
  const ended = (await hanako.call(getSessions, {})).sessions.find(({ current }) => !current)!;
  await service.call(logOut, { token: left.refresh });

  const errors = [];
  for (const sessionId of [his!.id, ended.id, randomUUID(), "x\u0000y", "😀"]) {
    errors.push((await expectError(hanako.call(endSession, { sessionId }), "session_not_found")).body);
  }

  expect(new Set(errors.map((body) => JSON.stringify(body))).size).toBe(1);
  expect((await whoAmI(service, taro.access)).status).toBe(200);
});

test("closes the oldest socket when a member opens one too many", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const his = await taro.socket("/ws/events");
  const hers: Awaited<ReturnType<typeof hanako.socket>>[] = [];
  for (let i = 0; i < SOCKETS_MAX; i++) hers.push(await hanako.socket("/ws/events"));
  await eventually(() => expect(service.ctx.sockets.count).toBe(SOCKETS_MAX + 1));
  expect(hers.every(({ closed }) => closed === null)).toBe(true);

  await Promise.all([hanako.socket("/ws/events"), hanako.socket("/ws/events")]);

  await eventually(() =>
    expect(hers.map(({ closed }) => closed).filter(Boolean)).toEqual([
      closeCodes.tooMany,
      closeCodes.tooMany,
    ]),
  );
  expect(hers.slice(0, 2).map(({ closed }) => closed)).toEqual([closeCodes.tooMany, closeCodes.tooMany]);
  expect(his.closed).toBeNull();
});

test("ends a session when it is not refreshed for ninety days", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(90 * 24 * 60 * MINUTE);

  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
});

test("stores neither refresh tokens nor device tokens in plain text", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const session = await service.db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();

  expect(session.refresh_digest).toHaveLength(32);
  expect(session.encrypted_device_name!.toString("latin1")).not.toMatch(/browser|system/);
  expect(Object.values(session).map(String).join()).not.toContain(hanako.refresh.split(".")[1]);
  expect((await hanako.call(getOwnUser, {})).user.user_id).toBe("hanako");
});
