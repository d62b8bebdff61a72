import { afterAll, expect, test } from "vitest";
import { startRecaptcha } from "@alcove/test-services/recaptcha";
import { MINUTE_MS } from "../../platform/clock.ts";
import { readConfig } from "../../config.ts";
import { fetchChallenge, solve } from "../../testing/bot-check.ts";
import {
  challengeFor,
  guarded,
  HOME,
  PASSWORD,
  solvedToken,
  tryLogin,
  type LoginForm,
} from "../../testing/logins.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import type { TestService } from "../../testing/test-service.ts";
import { CHECKED_LOGINS } from "./login-limits.ts";

const recaptcha = await startRecaptcha();
afterAll(() => recaptcha.close());

async function codesOf(attempts: ReturnType<typeof tryLogin>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of await Promise.all(attempts)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function spendLimit(service: TestService, user_id: string) {
  for (let i = 0; i < 10; i++) expect((await tryLogin(service, { user_id })).code).toBe("wrong_credentials");
}

const doublingsOf = async (service: TestService, user_id: string, ip = HOME) =>
  (await challengeFor(service, user_id, ip)).parameters.data?.["doublings"];

test("passes a right password with a solved bot check when the account's limit is reached", async () => {
  const service = await serviceForTest(guarded);
  await service.member("hanako", { at: null, password: PASSWORD });
  const { device } = await tryLogin(service, { user_id: "hanako", password: PASSWORD });
  await spendLimit(service, "hanako");

  const right = { user_id: "hanako", password: PASSWORD };
  expect(await tryLogin(service, right)).toMatchObject({
    status: 429,
    code: "bot_check_required",
    retryAfter: "900",
  });
  expect((await tryLogin(service, { ...right, recaptchaToken: "made up" })).code).toBe("bot_check_required");
  const signUp = await solve(await fetchChallenge(service, { action: "SignUp" }));
  expect((await tryLogin(service, { ...right, recaptchaToken: signUp })).code).toBe("bot_check_required");

  const recaptchaToken = await solvedToken(service, "hanako");
  expect((await tryLogin(service, { ...right, recaptchaToken })).status).toBe(200);
  expect((await tryLogin(service, { ...right, recaptchaToken })).code).toBe("bot_check_required");
  expect((await tryLogin(service, { ...right, device: device! })).status).toBe(200);
});

test(
  "doubles the work with each failure and rejects challenges from before",
  { timeout: 120_000 },
  async () => {
    const service = await serviceForTest(guarded);
    await service.member("hanako", { at: null, password: PASSWORD });
    await spendLimit(service, "hanako");
    const early = [];
    for (let i = 0; i < 4; i++) early.push(await solvedToken(service, "hanako"));

    const codes = await codesOf(
      early.map(async (recaptchaToken) => tryLogin(service, { user_id: "hanako", recaptchaToken })),
    );
    expect(codes["wrong_credentials"] ?? 0).toBeLessThanOrEqual(1);
    for (const recaptchaToken of early) await tryLogin(service, { user_id: "hanako", recaptchaToken });

    const challenge = await challengeFor(service, "HANAKO");
    expect(challenge.parameters.data).toMatchObject({ action: "Login", doublings: 1 });
    const recaptchaToken = await solve(challenge);
    expect((await tryLogin(service, { user_id: "hanako", recaptchaToken })).code).toBe("wrong_credentials");
    expect(await doublingsOf(service, "hanako")).toBe(2);
    const right = {
      user_id: "hanako",
      password: PASSWORD,
      recaptchaToken: await solvedToken(service, "hanako"),
    };
    expect((await tryLogin(service, right)).status).toBe(200);
    expect(await doublingsOf(service, "hanako")).toBe(2);
  },
);

test("binds the work to the account and the network, for an hour and up to six doublings", async () => {
  const service = await serviceForTest(guarded);
  const fail = async (subject: string, times: number) => {
    for (let i = 0; i < times; i++) await service.ctx.rateLimits.consume(CHECKED_LOGINS, subject);
  };
  await fail("account hanako", 3);
  await fail("network 198.51.100.7", 20);

  expect(await doublingsOf(service, "hanako")).toBe(3);
  expect(await doublingsOf(service, "taro")).toBe(0);
  expect(await doublingsOf(service, "taro", "198.51.100.7")).toBe(6);
  const { parameters } = await fetchChallenge(service, { action: "SignUp", user_id: "hanako" });
  expect(parameters.data).toMatchObject({ doublings: 0 });
  service.clock.advance(60 * MINUTE_MS);
  expect(await doublingsOf(service, "hanako")).toBe(0);
});

test("responds alike with a bot check when the user id is unknown", async () => {
  const service = await serviceForTest(guarded);
  await service.member("hanako", { at: null, password: PASSWORD });
  const outcomesOf = async (user_id: string, ip: string) => {
    const outcomes = [];
    for (let i = 0; i < 11; i++) outcomes.push(await tryLogin(service, { user_id }, ip));
    for (let i = 0; i < 2; i++) {
      outcomes.push(await doublingsOf(service, user_id, ip));
      const recaptchaToken = await solvedToken(service, user_id, ip);
      outcomes.push(await tryLogin(service, { user_id, recaptchaToken }, ip));
    }
    return outcomes;
  };

  expect(await outcomesOf("nobody", "203.0.113.2")).toEqual(await outcomesOf("hanako", "203.0.113.3"));
});

test("requires the bot check for all accounts from a network beyond its limit", async () => {
  const service = await serviceForTest(guarded);
  await service.member("hanako", { at: null, password: PASSWORD });
  for (let i = 0; i < 30; i++) await tryLogin(service, { user_id: `member-${i}` });

  const right = { user_id: "hanako", password: PASSWORD };
  expect((await tryLogin(service, right)).code).toBe("bot_check_required");
  expect((await tryLogin(service, right, "203.0.113.9")).status).toBe(200);
  expect(
    (await tryLogin(service, { ...right, recaptchaToken: await solvedToken(service, "hanako") })).status,
  ).toBe(200);
});

test("passes twenty failures an hour with reCAPTCHA", async () => {
  const settings = readConfig(recaptcha.variables);
  const service = await serviceForTest({
    config: {
      hasRateLimits: true,
      trustProxy: true,
      botCheck: "recaptcha",
      recaptchaSecret: settings.recaptchaSecret,
      recaptchaVerifyUrl: settings.recaptchaVerifyUrl,
    },
  });
  await service.member("hanako", { at: null, password: PASSWORD });
  await spendLimit(service, "hanako");
  const attempt = async (more: Partial<LoginForm> = {}) =>
    tryLogin(service, { user_id: "hanako", recaptchaToken: recaptcha.issueToken("Login"), ...more });

  expect((await attempt({ recaptchaToken: recaptcha.issueToken("SignUp") })).code).toBe("bot_check_required");
  expect((await attempt({ password: PASSWORD })).status).toBe(200);
  for (let i = 0; i < 20; i++) expect((await attempt()).code).toBe("wrong_credentials");

  expect(await attempt({ password: PASSWORD })).toMatchObject({
    code: "too_many_requests",
    retryAfter: "900",
  });
});

test("refunds right passwords and limits them to thirty per account in a quarter of an hour", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  for (const name of ["hanako", "taro"]) await service.member(name, { at: null, password: PASSWORD });
  const right = { user_id: "hanako", password: PASSWORD };
  for (let i = 0; i < 9; i++) await tryLogin(service, { user_id: "hanako" });

  for (let i = 0; i < 30; i++) expect((await tryLogin(service, right)).status).toBe(200);

  expect(await tryLogin(service, right)).toMatchObject({ code: "too_many_requests", retryAfter: "900" });
  expect((await tryLogin(service, { ...right, user_id: "taro" })).status).toBe(200);
  service.clock.advance(15 * MINUTE_MS);
  expect((await tryLogin(service, right)).status).toBe(200);
});
