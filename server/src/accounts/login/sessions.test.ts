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
import { serviceOfTest } from "../../testing/match.ts";
import { eventually, openSocket, refused, type TestService } from "../../testing/test-service.ts";

const MINUTE = 60_000;

/** Whether an access token still opens anything. */
async function whoAmI(
  service: TestService,
  access: string,
): Promise<{ status: number; code: string | undefined }> {
  const answer = await service.fetch("/en/users/api/user", {
    headers: { authorization: `Bearer ${access}` },
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
}

test("a wrong password and an unknown id are the same refusal", async () => {
  const service = await serviceOfTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("without", { at: null });

  const errors = [];
  for (const user_id of ["hanako", "nobody", "without", "x\u0000y", "😀".repeat(200)]) {
    errors.push(
      (await refused(service.ask(logIn, { user_id, password: "wrong" }), "wrong_credentials")).body,
    );
  }

  expect(new Set(errors.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(errors[0]?.["error_message"]).toBe("ID or password is incorrect");
});

test("an unknown id takes as long as a wrong password", async () => {
  const service = await serviceOfTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const times = { hanako: [] as number[], nobody: [] as number[] };
  for (let i = 0; i < 18; i++) {
    const user_id = i % 2 ? "hanako" : "nobody";
    const start = performance.now();
    await refused(service.ask(logIn, { user_id, password: `wrong-${i}` }), "wrong_credentials");
    times[user_id].push(performance.now() - start);
  }
  const middle = (all: number[]) => all.toSorted((a, b) => a - b)[4]!;

  // Without the run of Argon2 an answer takes a tenth of the time.
  expect(middle(times.nobody)).toBeGreaterThan(middle(times.hanako) / 3);
});

test("a device keeps the mark that its first login got", async () => {
  const service = await serviceOfTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const form = { user_id: "hanako", password: "quiet-evenings-7" };

  const first = await service.ask(logIn, form);
  const second = await service.ask(logIn, { ...form, device: first.device! });
  const odd = await service.ask(logIn, { ...form, device: "not one of ours" });

  expect(second.device).toBe(first.device);
  expect(odd.device).toMatch(/^[\w-]{43}$/);
});

test("an access token lives fifteen minutes; a refresh token brings a new pair", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(15 * MINUTE - 1_000);
  expect((await whoAmI(service, hanako.access)).status).toBe(200);
  service.clock.advance(2_000);
  expect(await whoAmI(service, hanako.access)).toEqual({ status: 401, code: "token_expired" });

  const pair = await service.ask(refreshTokens, { refresh: hanako.refresh });
  expect((await whoAmI(service, pair.access)).status).toBe(200);
});

test("a refresh token that was swapped before ends its whole session, and no other", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const other = await service.ask(logIn, { user_id: "hanako", password: "quiet-evenings-7" });

  const second = await service.ask(refreshTokens, { refresh: hanako.refresh });
  const third = await service.ask(refreshTokens, { refresh: second.refresh });
  await refused(service.ask(refreshTokens, { refresh: hanako.refresh }), "login_required");

  await refused(service.ask(refreshTokens, { refresh: third.refresh }), "login_required");
  for (const { access } of [hanako, second, third]) {
    expect(await whoAmI(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await whoAmI(service, other.access)).status).toBe(200);
});

test("a refresh whose answer was lost is sent again with its clientId, and gets the same refresh token", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const clientId = randomUUID();
  const again = { refresh: hanako.refresh, clientId };

  const pairs = await Promise.all(Array.from({ length: 20 }, () => service.ask(refreshTokens, again)));

  const [first] = pairs;
  expect(new Set(pairs.map(({ refresh }) => refresh)).size).toBe(1);
  for (const { access } of pairs) expect((await whoAmI(service, access)).status).toBe(200);
  expect((await service.ask(refreshTokens, { ...again, clientId: clientId.toUpperCase() })).refresh).toBe(
    first!.refresh,
  );
  await service.ask(refreshTokens, { refresh: first!.refresh, clientId: randomUUID() });
});

test.each([
  ["another clientId", { clientId: randomUUID() }],
  ["none", {}],
])("a swapped refresh token with %s ends its session", async (_, how) => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const pair = await service.ask(refreshTokens, { refresh: hanako.refresh, clientId: randomUUID() });

  await refused(service.ask(refreshTokens, { refresh: hanako.refresh, ...how }), "login_required");

  await refused(service.ask(refreshTokens, { refresh: pair.refresh }), "login_required");
});

test("a lost answer can be asked for only until the next refresh, or the session's end", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const lost = { refresh: hanako.refresh, clientId: randomUUID() };
  const pair = await service.ask(refreshTokens, lost);
  const next = await service.ask(refreshTokens, { refresh: pair.refresh, clientId: randomUUID() });

  await refused(service.ask(refreshTokens, lost), "login_required");
  await refused(service.ask(refreshTokens, { refresh: next.refresh }), "login_required");

  const taro = await service.member("taro", { at: null });
  const mine = { refresh: taro.refresh, clientId: randomUUID() };
  const { refresh } = await service.ask(refreshTokens, mine);
  await service.ask(logOut, { token: refresh });
  await refused(service.ask(refreshTokens, mine), "login_required");
});

test("a refresh token that somebody made up ends nothing", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const [session, chance, mark] = hanako.refresh.split(".") as [string, string, string];
  const changed = mark.startsWith("A") ? `B${mark.slice(1)}` : `A${mark.slice(1)}`;

  const forged = [
    `${session}.${chance}.${changed}`,
    `${session}.${"A".repeat(32)}.${mark}`,
    `${session}.${chance}`,
    session,
    "..",
    `${randomUUID()}.${chance}.${mark}`,
    "\u0000",
    `${hanako.refresh}.`,
    hanako.access,
  ];
  for (const refresh of forged) await refused(service.ask(refreshTokens, { refresh }), "login_required");
  for (const token of forged) await service.ask(logOut, { token });

  expect((await whoAmI(service, hanako.access)).status).toBe(200);
  await service.ask(refreshTokens, { refresh: hanako.refresh });
});

test("who logs out with a token that is none leaves the session that the request was made in, and no other", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });

  await taro.ask(logOut, { token: "lost" });
  await service.fetch("/en/users/api/logout", {
    method: "DELETE",
    headers: { authorization: "Bearer lost" },
    body: new URLSearchParams({ token: "lost" }),
  });

  expect((await whoAmI(service, taro.access)).status).toBe(401);
  expect((await whoAmI(service, hanako.access)).status).toBe(200);
});

test("of many refreshes with one token at the same moment one gets a pair, and the session ends", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => service.ask(refreshTokens, { refresh: hanako.refresh })),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  expect((await whoAmI(service, hanako.access)).status).toBe(401);
});

test("an access token of another key, another algorithm or none is nobody's", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const [head, body] = hanako.access.split(".") as [string, string, string];
  const session = (JSON.parse(Buffer.from(body, "base64url").toString()) as { sid: string }).sid;
  const stranger = await new SignJWT({ sid: session })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(Buffer.from("a key of somebody else, long enough."));
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`;

  for (const access of [stranger, none, `${head}.${body}.`, hanako.refresh, "x"]) {
    expect(await whoAmI(service, access)).toEqual({ status: 401, code: "login_required" });
  }
  expect((await service.fetch("/en/users/api/user")).status).toBe(401);
});

test("an access token tells nothing but its session and its end", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  const claims = JSON.parse(Buffer.from(hanako.access.split(".")[1]!, "base64url").toString()) as object;

  expect(Object.keys(claims).toSorted()).toEqual(["exp", "sid"]);
});

test("logging out ends access, refresh and sockets of that session at once, on every process, and no other session", async () => {
  const service = await serviceOfTest();
  const beside = await serviceOfTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const other = await service.ask(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  const sockets = await Promise.all(
    [service, beside].map(({ url }) =>
      openSocket(`${url.replace("http", "ws")}/ws/events?token=${hanako.access}`),
    ),
  );
  const stays = await openSocket(`${service.url.replace("http", "ws")}/ws/events?token=${other.access}`);
  await eventually(() => expect(service.ctx.sockets.count + beside.ctx.sockets.count).toBe(3));

  await service.ask(logOut, { token: hanako.refresh });

  expect((await whoAmI(beside, hanako.access)).code).toBe("login_required");
  await refused(service.ask(refreshTokens, { refresh: hanako.refresh }), "login_required");
  await eventually(() =>
    expect(sockets.map(({ closed }) => closed)).toEqual([closeCodes.badToken, closeCodes.badToken]),
  );
  expect(stays.closed).toBeNull();
  expect((await whoAmI(service, other.access)).status).toBe(200);
  await service.ask(logOut, { token: hanako.refresh });
});

test("a ticket opens one socket, within thirty seconds, while its session lives", async () => {
  const service = await serviceOfTest();
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

  const { ticket } = await hanako.ask(getWsTicket, {});
  const late = await hanako.ask(getWsTicket, {});
  const lives = await openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));
  expect(await opens(ticket)).toBe(closeCodes.badToken);
  expect(await opens("\u0000")).toBe(closeCodes.badToken);
  service.clock.advance(30_000);
  expect(await opens(late.ticket)).toBe(closeCodes.badToken);

  const unused = await hanako.ask(getWsTicket, {});
  await service.ask(logOut, { token: hanako.refresh });
  expect(await opens(unused.ticket)).toBe(closeCodes.badToken);
  await eventually(() => expect(lives.closed).toBe(closeCodes.badToken));
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

/** Logs in with a browser that says what it is. */
async function logInWith(
  service: TestService,
  userAgent: string,
): Promise<{ access: string; refresh: string }> {
  const answer = await service.fetch("/en/api/token/", {
    method: "POST",
    headers: { "user-agent": userAgent },
    body: new URLSearchParams({ user_id: "hanako", password: "quiet-evenings-7" }),
  });
  return (await answer.json()) as { access: string; refresh: string };
}

test("a member sees its own sessions: this one first, when each was used by the day, and roughly with what", async () => {
  const service = await serviceOfTest();
  service.clock.set("2026-03-01T10:20:30Z");
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("taro", { at: null });
  service.clock.set("2026-03-03T01:00:00Z");
  const phone = await logInWith(service, IPHONE);
  const there = service.meet({ ...hanako, ...phone });

  const { sessions } = await there.ask(getSessions, {}, "ja");
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
    ...(await service.ask(refreshTokens, { refresh: hanako.refresh })),
  });
  const seen = await renewed.ask(getSessions, {});
  expect(
    seen.sessions.map(({ current, device_name, last_used }) => [current, device_name, last_used]),
  ).toEqual([
    [true, "Unknown device", "2026-03-04"],
    [false, "Safari on iOS", "2026-03-03"],
  ]);
});

test("sessions that ended are not listed", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const left = await logInWith(service, IPHONE);
  await service.ask(logOut, { token: left.refresh });
  service.clock.advance(89 * 24 * 60 * MINUTE);
  const now = await logInWith(service, IPHONE);
  service.clock.advance(2 * 24 * 60 * MINUTE);
  const pair = await service.ask(refreshTokens, { refresh: now.refresh });

  const { sessions } = await service.meet({ ...hanako, ...pair }).ask(getSessions, {});

  expect(sessions.map(({ current }) => current)).toEqual([true]);
});

test("one device signs another out at once, its sockets and tickets too, on every process", async () => {
  const service = await serviceOfTest();
  const beside = await serviceOfTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const phone = service.meet({ ...hanako, ...(await logInWith(service, IPHONE)) });
  const [own, lost] = [
    await hanako.socket("/ws/events"),
    await service.meet(phone, beside.url).socket("/ws/events"),
  ];
  const { ticket } = await phone.ask(getWsTicket, {});
  await eventually(() => expect(beside.ctx.sockets.count).toBe(1));
  const { sessions } = await hanako.ask(getSessions, {});

  await hanako.ask(endSession, { sessionId: sessions.find(({ current }) => !current)!.id });

  expect((await whoAmI(beside, phone.access)).code).toBe("login_required");
  await refused(service.ask(refreshTokens, { refresh: phone.refresh }), "login_required");
  await eventually(() => expect(lost.closed).toBe(closeCodes.badToken));
  const late = await openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  await eventually(() => expect(late.closed).toBe(closeCodes.badToken));
  expect(own.closed).toBeNull();
  expect((await hanako.ask(getSessions, {})).sessions).toHaveLength(1);
});

test("signing out everywhere else ends all the member's other sessions, and nobody else's", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { at: null });
  const others = await Promise.all(Array.from({ length: 3 }, () => logInWith(service, IPHONE)));
  const socket = await service.meet({ ...hanako, ...others[0]! }).socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  await hanako.ask(endOtherSessions, {});

  for (const { access } of others) expect((await whoAmI(service, access)).code).toBe("login_required");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  expect((await hanako.ask(getSessions, {})).sessions.map(({ current }) => current)).toEqual([true]);
  expect((await whoAmI(service, taro.access)).status).toBe(200);
});

test("somebody else's session, one that ended and one that never was are not found alike", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { at: null });
  const [his] = (await taro.ask(getSessions, {})).sessions;
  const left = await logInWith(service, IPHONE);
  const ended = (await hanako.ask(getSessions, {})).sessions.find(({ current }) => !current)!;
  await service.ask(logOut, { token: left.refresh });

  const errors = [];
  for (const sessionId of [his!.id, ended.id, randomUUID(), "x\u0000y", "😀"]) {
    errors.push((await refused(hanako.ask(endSession, { sessionId }), "session_not_found")).body);
  }

  expect(new Set(errors.map((body) => JSON.stringify(body))).size).toBe(1);
  expect((await whoAmI(service, taro.access)).status).toBe(200);
});

test("a member has so many sockets; one more closes the oldest", async () => {
  const service = await serviceOfTest();
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

test("a session that nobody refreshes for ninety days is over", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  service.clock.advance(90 * 24 * 60 * MINUTE);

  await refused(service.ask(refreshTokens, { refresh: hanako.refresh }), "login_required");
});

test("the database keeps neither refresh tokens nor devices", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  const session = await service.db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();

  expect(session.refresh_digest).toHaveLength(32);
  expect(session.encrypted_device_name!.toString("latin1")).not.toMatch(/browser|system/);
  expect(Object.values(session).map(String).join()).not.toContain(hanako.refresh.split(".")[1]);
  expect((await hanako.ask(getOwnUser, {})).user.user_id).toBe("hanako");
});
