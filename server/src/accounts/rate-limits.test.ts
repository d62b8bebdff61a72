import argon2 from "@node-rs/argon2";
import { beforeAll, expect, test, vi } from "vitest";
import { confirmPassword, logIn, requestSignUpCode } from "@alcove/contract/accounts";
import { changePassword, requestResetCode } from "@alcove/contract/passwords";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { MINUTE_MS } from "../platform/clock.ts";
import { expectError, type TestService } from "../testing/test-service.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { agreed } from "../testing/sign-up.ts";

const PASSWORD = "quiet-evenings-7";
const withLimits = { config: { hasRateLimits: true } };

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  return () => mailbox.close();
});

const tryPassword = (service: TestService, user_id: string, password = "wrong", device?: string) =>
  service.call(logIn, { user_id, password, device: device ?? null });

async function miss(service: TestService, user_id: string, times: number, device?: string) {
  const responses = [];
  for (let i = 0; i < times; i++) {
    const body = JSON.stringify({ user_id, password: `wrong-${i}`, device });
    const response = await service.fetch("/en/api/token/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    responses.push(`${response.status} ${response.headers.get("retry-after")} ${await response.text()}`);
  }
  return responses;
}

test("rejects even the correct password when ten wrong ones came in a quarter of an hour, until one expires", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null, password: PASSWORD });
  for (let i = 0; i < 10; i++) {
    await expectError(tryPassword(service, i % 2 ? "hanako" : "HANAKO"), "wrong_credentials");
    service.clock.advance(MINUTE_MS);
  }

  const apiError = await expectError(tryPassword(service, "hanako", PASSWORD), "too_many_requests");
  expect(apiError.status).toBe(429);
  expect((await miss(service, "hanako", 1))[0]).toMatch(/^429 300 /);

  service.clock.advance(5 * MINUTE_MS);
  await tryPassword(service, "hanako", PASSWORD);
});

test("counts and responds alike when the user id is unknown or invalid", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null, password: PASSWORD });

  const [known, unknown] = [await miss(service, "hanako", 12), await miss(service, "nobody", 12)];

  expect(unknown).toEqual(known);
  expect(known.map((response) => response.slice(0, 3))).toEqual([...Array(10).fill("401"), "429", "429"]);
});

test("refunds correct passwords, also when several arrive at once", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null, password: PASSWORD });

  for (let i = 0; i < 2; i++)
    await Promise.all(Array.from({ length: 10 }, () => tryPassword(service, "hanako", PASSWORD)));

  expect((await tryPassword(service, "hanako", PASSWORD)).access).toBeTruthy();
});

test("hashes ten passwords at most when a hundred wrong ones arrive at the same time", async () => {
  const service = await serviceForTest(withLimits);
  const runs = vi.spyOn(argon2, "verify"); // the real function, counted

  await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => tryPassword(service, "nobody", `wrong-${i}`)),
  );

  expect(runs).toHaveBeenCalledTimes(10);
  runs.mockRestore();
});

test("checks ten passwords when a hundred wrong ones arrive at two processes at the same time", async () => {
  const service = await serviceForTest(withLimits);
  const beside = await serviceForTest({ ...withLimits, beside: service });
  await service.member("hanako", { at: null, password: PASSWORD });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => tryPassword(i % 2 ? service : beside, "hanako", `wrong-${i}`)),
  );

  const codes = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.code as string);
  expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
  expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(90);
});

test("admits a known device when others have used up the account's limit", async () => {
  const service = await serviceForTest(withLimits);
  for (const name of ["hanako", "taro"]) await service.member(name, { at: null, password: PASSWORD });
  const { device } = await tryPassword(service, "hanako", PASSWORD);
  for (const name of ["hanako", "taro", "nobody"]) await miss(service, name, 11);

  // The account and the network are over their limits.
  await expectError(tryPassword(service, "hanako", PASSWORD), "too_many_requests");
  await expectError(tryPassword(service, "somebody-else", PASSWORD), "too_many_requests");
  expect((await tryPassword(service, "hanako", PASSWORD, device)).device).toBe(device);

  // The device has its own limit and is known to its own account only.
  await miss(service, "hanako", 10, device);
  await expectError(tryPassword(service, "hanako", PASSWORD, device), "too_many_requests");
  await expectError(tryPassword(service, "taro", PASSWORD, device), "too_many_requests");
  await expectError(tryPassword(service, "hanako", PASSWORD, "A".repeat(43)), "too_many_requests");
});

test("counts ten wrong passwords per open session without locking other sessions", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await service.member("hanako", { at: null, password: PASSWORD });
  const other = service.memberAt({ ...hanako, ...(await tryPassword(service, "hanako", PASSWORD)) });

  for (let i = 0; i < 10; i++)
    expect(await hanako.call(confirmPassword, { password: `wrong-${i}` })).toBe(false);

  await expectError(hanako.call(confirmPassword, { password: PASSWORD }), "too_many_requests");
  const change = { newPassword: "fern-under-glass-8", newPasswordConfirmation: "fern-under-glass-8" };
  await expectError(hanako.call(changePassword, { password: PASSWORD, ...change }), "too_many_requests");
  expect(await other.call(confirmPassword, { password: PASSWORD })).toBe(true);
  await tryPassword(service, "hanako", PASSWORD);
});

test("recognises a device for 180 days after its last use, to the hour", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null, password: PASSWORD });
  const { device } = await tryPassword(service, "hanako", PASSWORD);

  service.clock.advance(180 * 24 * 60 * MINUTE_MS - 1);
  await miss(service, "hanako", 10);
  await tryPassword(service, "hanako", PASSWORD, device);

  service.clock.advance((180 * 24 + 1) * 60 * MINUTE_MS);
  await miss(service, "hanako", 10);
  await expectError(tryPassword(service, "hanako", PASSWORD, device), "too_many_requests");
});

test("counts thirty wrong passwords per network, a /64 as one, and trusts only the proxy for addresses", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true, trustProxy: true } });
  const tryFrom = async (addresses: string, user_id: string) => {
    const response = await service.fetch("/en/api/token/", {
      method: "POST",
      headers: { "x-forwarded-for": addresses },
      body: new URLSearchParams({ user_id, password: "wrong" }),
    });
    return response.status;
  };
  for (let i = 0; i < 30; i++) {
    expect(await tryFrom(`10.9.8.${i}, 2001:db8:1:2::${i.toString(16)}`, `member-${i}`)).toBe(401);
  }

  expect(await tryFrom("2001:db8:1:2:ffff:ffff:ffff:ffff", "one-more")).toBe(429);
  expect(await tryFrom("2001:db8:1:3::1", "one-more")).toBe(401);
  expect(await tryFrom("203.0.113.7", "one-more")).toBe(401);
});

test("sends five emails per hour and address, alike for known and unknown addresses", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true, smtpUrl: mailbox.url } });
  await service.member("hanako", { at: null, email: "hanako@example.com" });
  const ask = (email: string) => service.call(requestSignUpCode, { email, ...agreed }, "zh-hans");

  const known = [];
  const unknown = [];
  for (let i = 0; i < 6; i++) {
    known.push(await ask(i % 2 ? "hanako@example.com" : "Hanako@Example.com "));
    unknown.push(await ask("new@example.com"));
  }

  expect(unknown).toEqual(known);
  expect(known.slice(0, 5).map(({ error_message }) => error_message)).toEqual(Array(5).fill(undefined));
  expect(known[5]).toEqual({ error_message: "目前已达使用上限，1 小时内即可继续。" });
  service.clock.advance(60 * MINUTE_MS);
  expect(await ask("new@example.com")).toEqual({});
});

test("counts sign-up and reset emails together", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true, smtpUrl: mailbox.url } });
  const email = "both@example.com";
  for (let i = 0; i < 3; i++) await service.call(requestSignUpCode, { email, ...agreed });
  for (let i = 0; i < 2; i++) expect(await service.call(requestResetCode, { email })).toEqual({});

  expect(await service.call(requestResetCode, { email })).toEqual({
    error_message: "You have reached the limit for now. You can go on within an hour.",
  });
});

test("sends twenty emails per hour and network, without counting rejected ones for their addresses", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true, smtpUrl: mailbox.url } });
  const beside = await serviceForTest({
    config: { hasRateLimits: true, smtpUrl: mailbox.url },
    beside: service,
  });

  const responses = await Promise.all(
    Array.from({ length: 80 }, (_, i) =>
      (i % 2 ? service : beside).call(requestSignUpCode, { email: `new-${i % 16}@example.com`, ...agreed }),
    ),
  );

  expect(responses.filter((response) => response.error_message === undefined)).toHaveLength(20);
  const counted = await service.db.selectFrom("rate_limits").select("hits").execute();
  // Twenty for the network and its /24, and the same twenty for each of three limits of their addresses.
  expect(counted.flatMap(({ hits }) => hits)).toHaveLength(100);
});
