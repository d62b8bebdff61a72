import { expect, test } from "vitest";
import { calls } from "@alcove/contract";
import {
  createLoginCode,
  getOwnUser,
  getSessions,
  getWsTicket,
  logIn,
  logInWithCode,
  logOut,
  refreshTokens,
} from "@alcove/contract/accounts";
import { closeCodes } from "@alcove/contract/close-codes";
import { getOrders } from "@alcove/contract/membership";
import { setSecondFactor } from "@alcove/contract/passkeys";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, expectError, openSocket } from "../../testing/test-service.ts";

test("opens one session when a code is used forty times at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const { code } = await hanako.call(createLoginCode, {});

  const results = await Promise.allSettled(
    Array.from({ length: 40 }, async () => service.call(logInWithCode, { code })),
  );

  const opened = results.filter((result) => result.status === "fulfilled").map(({ value }) => value);
  expect(opened).toHaveLength(1);
  expect(opened[0]!.user_id).toBe("hanako");
  const browser = service.memberAt({ ...hanako, ...opened[0]! });
  expect((await browser.call(getOwnUser, {})).user.user_id).toBe("hanako");
  const { sessions } = await hanako.call(getSessions, {});
  expect(sessions.map(({ current }) => current)).toEqual([true, false]);
  expect(opened[0]).not.toHaveProperty("device");
});

test("lets a login by code make the calls of purchases only", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const tokens = await service.call(logInWithCode, await hanako.call(createLoginCode, {}));
  const allowed = calls.filter(({ forPurchases }) => forPurchases).map(({ name }) => name);

  const { access } = tokens;
  for (const call of calls) {
    const { name, method, path, access: kind } = call;
    if (kind !== "member" || allowed.includes(name)) continue;
    // A call that shares its URL is chosen by its fields.
    const body = call === setSecondFactor ? JSON.stringify({ second_factor: true }) : null;
    const headers = {
      authorization: `Bearer ${access}`,
      ...(body && { "content-type": "application/json" }),
    };
    const response = await service.fetch(`/en${path}`, { method, headers, body });
    expect([name, response.status]).toEqual([name, 401]);
  }
  const socket = await openSocket(`${service.url.replace("http", "ws")}/ws/events?token=${access}`);
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  expect(allowed.toSorted()).toEqual([
    "captureOrder",
    "checkCoupon",
    "createBankOrder",
    "createOrder",
    "getConsent",
    "getOrder",
    "getOrders",
    "getOwnUser",
    "getReceipt",
    "getRegions",
    "previewWithdrawal",
    "useCoupon",
    "withdraw",
  ]);
  const browser = service.memberAt({ ...hanako, ...tokens });
  expect((await browser.call(getOrders, {})).orders).toEqual([]);
  await service.call(logOut, { token: tokens.refresh });
  await expectError(browser.call(getOwnUser, {}), "login_required");
});

test("shows a login by code no email address, birth date, text, picture and position", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const { user: own } = await hanako.call(getOwnUser, {});
  const tokens = await service.call(logInWithCode, await hanako.call(createLoginCode, {}));

  const { user } = await service.memberAt({ ...hanako, ...tokens }).call(getOwnUser, {});

  expect([own.email, own.date_of_birth, own.pictures.length, own.location]).not.toContain("");
  expect(user).toMatchObject({ user_id: "hanako", status: "free", email: "", date_of_birth: "" });
  expect(user).toMatchObject({
    pictures: [],
    icon: "/media/default-icon.svg",
    description: "",
    location: null,
  });
});

test("ends a login by code after 30 minutes, and at an attempt to renew it", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const open = async () => {
    const tokens = await service.call(logInWithCode, await hanako.call(createLoginCode, {}));
    return { ...tokens, browser: service.memberAt({ ...hanako, ...tokens }) };
  };
  const [first, second] = [await open(), await open()];

  await expectError(service.call(refreshTokens, { refresh: second.refresh }), "login_required");
  await expectError(second.browser.call(getOrders, {}), "login_required");
  service.clock.advance(30 * MINUTE_MS - SECOND_MS);
  await first.browser.call(getOrders, {});
  service.clock.advance(SECOND_MS);

  await expectError(first.browser.call(getOrders, {}), "token_expired");
  const { access } = await service.call(refreshTokens, { refresh: hanako.refresh });
  const { sessions } = await service.memberAt({ ...hanako, access }).call(getSessions, {});
  expect(sessions).toHaveLength(1);
});

test("ends a login by code with the session of the app", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { password: "quiet-evenings-7" });
  const { access } = await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  const tokens = await service.call(logInWithCode, await hanako.call(createLoginCode, {}));
  const browser = service.memberAt({ ...hanako, ...tokens });
  await browser.call(getOrders, {});

  await service.call(logOut, { token: hanako.refresh });

  await expectError(browser.call(getOrders, {}), "login_required");
  const { sessions } = await service.memberAt({ ...hanako, access }).call(getSessions, {});
  expect(sessions).toHaveLength(1);
});

test("rejects a code after a minute, after the app's logout, and a ticket of another kind", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const { ticket } = await hanako.call(getWsTicket, {});
  await expectError(service.call(logInWithCode, { code: ticket }), "login_required");

  const late = await hanako.call(createLoginCode, {});
  service.clock.advance(60 * SECOND_MS);
  await expectError(service.call(logInWithCode, late), "login_required");

  const orphan = await hanako.call(createLoginCode, {});
  await hanako.call(logOut, { token: hanako.refresh });
  await expectError(service.call(logInWithCode, orphan), "login_required");
});

test("limits codes of a member and attempts of a network, and stores only digests", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const hanako = await service.member("hanako");
  const codes: string[] = [];
  for (let i = 0; i < 20; i++) codes.push((await hanako.call(createLoginCode, {})).code);

  await expectError(hanako.call(createLoginCode, {}), "too_many_requests");
  const rows = await service.db.selectFrom("socket_tickets").select("ticket_digest").execute();
  expect(rows).toHaveLength(20);
  for (const { ticket_digest } of rows)
    for (const code of codes) expect(ticket_digest.includes(Buffer.from(code, "base64url"))).toBe(false);
  for (let i = 0; i < 60; i++)
    await expectError(service.call(logInWithCode, { code: `guess${i}` }), "login_required");
  await expectError(service.call(logInWithCode, { code: codes[0]! }), "too_many_requests");
});
