import { randomUUID } from "node:crypto";
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
import { getReading } from "@alcove/contract/messaging";
import { closeCodes } from "@alcove/contract/close-codes";
import { DAY_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { statusOf } from "../../testing/session-status.ts";
import { recordStatements } from "../../testing/statements.ts";
import { eventually, openSocket, expectError, type TestService } from "../../testing/test-service.ts";
import { evictUserId } from "../../members/user-ids.ts";

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

  expect((await statusOf(beside, hanako.access)).code).toBe("login_required");
  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
  await eventually(() =>
    expect(sockets.map(({ closed }) => closed)).toEqual([closeCodes.badToken, closeCodes.badToken]),
  );
  expect(stays.closed).toBeNull();
  expect((await statusOf(service, other.access)).status).toBe(200);
  await service.call(logOut, { token: hanako.refresh });
});

test("lets the browser drop its cache at logout, and only then", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const own = await hanako.fetch("/en/users/api/user");
  const left = await service.fetch("/ja/users/api/logout", {
    method: "DELETE",
    body: new URLSearchParams({ token: hanako.refresh }),
  });

  expect(own.headers.get("clear-site-data")).toBeNull();
  expect([left.status, left.headers.get("clear-site-data")]).toEqual([204, '"cache"']);
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

test("lists the member's own sessions, the current one first, with day of last use and device", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-03-01T10:20:30Z");
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("taro", { at: null });
  service.clock.set("2026-03-03T01:00:00Z");
  const phone = await logInWith(service, IPHONE);
  const there = service.memberAt({ ...hanako, ...phone });

  const { sessions } = await there.call(getSessions, {}, "ja");
  expect(sessions).toEqual([
    {
      id: expect.any(String) as string,
      current: true,
      device_name: "iOSのSafari",
      created_at: "2026-03-03T01:00:00.000Z",
      last_used: "2026-03-03",
      new: false,
    },
    {
      id: expect.any(String) as string,
      current: false,
      device_name: "不明な端末",
      created_at: "2026-03-01T10:20:30.000Z",
      last_used: "2026-03-01",
      new: false,
    },
  ]);

  service.clock.set("2026-03-04T23:00:00Z");
  const renewed = service.memberAt({
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

test("stores digests of a device that do not link two members of one browser", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  await service.member("taro", { at: null, password: "quiet-evenings-7" });
  const login = (user_id: string, device?: string) =>
    service.call(logIn, { user_id, password: "quiet-evenings-7", device });

  const { device } = await login("hanako");
  await login("hanako", device);
  await login("taro", device);

  const rows = await service.db
    .selectFrom("sessions")
    .select("device_digest")
    .orderBy("use_no", "desc")
    .limit(3)
    .execute();
  const [ofTaro, again, first] = rows.map(({ device_digest }) => device_digest!.toString("hex"));
  expect(again).toBe(first);
  expect(ofTaro).not.toBe(first);
});

test("omits ended sessions from the list", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const left = await logInWith(service, IPHONE);
  await service.call(logOut, { token: left.refresh });
  service.clock.advance(89 * DAY_MS);
  const now = await logInWith(service, IPHONE);
  service.clock.advance(2 * DAY_MS);
  const pair = await service.call(refreshTokens, { refresh: now.refresh });

  const { sessions } = await service.memberAt({ ...hanako, ...pair }).call(getSessions, {});

  expect(sessions.map(({ current }) => current)).toEqual([true]);
});

test("ends access, sockets and tickets of another device at once on every process", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const phone = service.memberAt({ ...hanako, ...(await logInWith(service, IPHONE)) });
  const [own, lost] = [
    await hanako.socket("/ws/events"),
    await service.memberAt(phone, beside.url).socket("/ws/events"),
  ];
  const { ticket } = await phone.call(getWsTicket, {});
  await eventually(() => expect(beside.ctx.sockets.count).toBe(1));
  const { sessions } = await hanako.call(getSessions, {});

  await hanako.call(endSession, { sessionId: sessions.find(({ current }) => !current)!.id });

  expect((await statusOf(beside, phone.access)).code).toBe("login_required");
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
  const socket = await service.memberAt({ ...hanako, ...others[0]! }).socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  await hanako.call(endOtherSessions, {});

  for (const { access } of others) expect((await statusOf(service, access)).code).toBe("login_required");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  expect((await hanako.call(getSessions, {})).sessions.map(({ current }) => current)).toEqual([true]);
  expect((await statusOf(service, taro.access)).status).toBe(200);
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
  expect((await statusOf(service, taro.access)).status).toBe(200);
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

test("reads only the session at a request when the user id of the caller is cached", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("Hanako", { at: null });
  const requests = () => recordStatements(() => hanako.call(getReading, {}));

  // Repeats while a job of the new member reads their user id at the same time.
  await eventually(async () => {
    evictUserId(service.ctx.encryption, hanako.memberId);
    expect(tablesOf(await requests())).toEqual([
      "sessions",
      "members",
      "read_receipt_opt_outs",
      "typing_opt_ins",
      "picture_opt_outs",
    ]);
    expect(tablesOf(await requests())).toEqual([
      "sessions",
      "read_receipt_opt_outs",
      "typing_opt_ins",
      "picture_opt_outs",
    ]);
  });
  expect((await hanako.call(getOwnUser, {})).user.user_id).toBe("Hanako");
});

function tablesOf(statements: readonly string[]): (string | undefined)[] {
  return statements.map((statement) =>
    /join "(sessions)"|from "(\w+)"(?! as "m" inner)/.exec(statement)?.slice(1).find(Boolean),
  );
}
