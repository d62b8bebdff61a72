import { afterAll, expect, test } from "vitest";
import { checkSignUpCode, logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { checkResetCode, requestResetCode } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import { openClient } from "../../testing/browser.ts";
import { makeJobsDue, storedEmailJobs } from "../../testing/jobs.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, expectError, type TestService } from "../../testing/test-service.ts";
import { agreed, requestResetCodeFor, requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url, trustProxy: true };
const withLimits = { config: { ...config, hasRateLimits: true } };

const LETTERS = /^[A-HJ-NP-Z]{12}$/;
const DIGITS = /^\d{8}$/;
const TOO_OFTEN = { error_message: "You have reached the limit for now. You can go on within an hour." };

/** Enters wrong codes at the same time, at most fifty from each network. */
async function enterWrongCodes(service: TestService, emails: readonly string[], times: number) {
  const entries = Array.from({ length: times }, (_, i) =>
    openClient(service, { network: `192.0.2.${Math.floor(i / 50)}` }).call(checkResetCode, {
      email: emails[i % emails.length]!,
      code: "none",
    }),
  );
  expect(new Set(await Promise.all(entries))).toEqual(new Set([false]));
}

test("sends capital letters after twenty wrong codes in a day, with or without an account", async () => {
  const service = await serviceForTest(withLimits);
  await service.member("hanako", { at: null });
  const [known, unknown] = ["hanako@example.com", "unknown@example.com"];
  for (const email of [known, unknown]) await enterWrongCodes(service, [email], 19);
  expect(await requestResetCodeFor(service, mailbox, known)).toMatch(DIGITS);
  expect(await requestSignUpCodeFor(service, mailbox, unknown)).toMatch(DIGITS);

  for (const email of [known, unknown]) await enterWrongCodes(service, [email], 1);
  service.clock.advance(MINUTE_MS);

  expect(await requestResetCodeFor(service, mailbox, known, 2)).toMatch(LETTERS);
  expect(await requestSignUpCodeFor(service, mailbox, unknown, 2)).toMatch(LETTERS);
  expect(await requestSignUpCodeFor(service, mailbox, "other@example.com")).toMatch(DIGITS);
  service.clock.advance(DAY_MS - MINUTE_MS);
  expect(await requestSignUpCodeFor(service, mailbox, unknown, 3)).toMatch(DIGITS);
});

test("counts the newest wrong codes while the attack goes on", async () => {
  const service = await serviceForTest(withLimits);
  const email = "attacked@example.com";
  await enterWrongCodes(service, [email], 20);
  service.clock.advance(23 * HOUR_MS);
  await enterWrongCodes(service, [email], 20);

  service.clock.advance(2 * HOUR_MS);

  expect(await requestSignUpCodeFor(service, mailbox, email)).toMatch(LETTERS);
});

test("accepts capital letters in any case with spaces and hyphens, through all steps", async () => {
  const service = await serviceForTest(withLimits);
  const email = "word@example.com";
  await enterWrongCodes(service, [email], 20);
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const [sent] = mailbox.emails(email);

  expect(sent!.text).toContain(`\n${code}\n`);
  expect(sent!.html).toContain(`>${code}<`);
  expect(sent!.subject).toBe(`${code} is your Alcove code`);
  for (const typed of [
    code.toLowerCase(),
    code.replaceAll(/.{4}(?=.)/g, "$&-"),
    ` ${code.split("").join(" ")}`,
  ])
    expect(await service.call(checkSignUpCode, { email, code: typed })).toBe(true);
  await service.call(register, signUpForm({ email, code: code.toLowerCase() }));
});

test("repeats a code of capital letters when its email is sent again after the attack", async () => {
  const service = await serviceForTest(withLimits);
  const email = "retried@example.com";
  await enterWrongCodes(service, [email], 20);
  mailbox.loseNextResponse();
  const code = await requestSignUpCodeFor(service, mailbox, email);
  await service.db.deleteFrom("rate_limits").execute();

  await eventually(async () => {
    await makeJobsDue(service);
    expect(mailbox.emails(email).map((sent) => sent.code)).toEqual([code, code]);
  });
});

test("sends capital letters to a network that entered fifty wrong codes in an hour, and to no other", async () => {
  const service = await serviceForTest(withLimits);
  const emails = Array.from({ length: 30 }, (_, i) => `guess${i}@example.com`);
  const requestAt = async (network: string, email: string) => {
    await openClient(service, { network }).call(requestSignUpCode, { email, ...agreed });
    return (await mailbox.waitForEmail(email)).code;
  };
  await enterWrongCodes(service, emails, 49);
  expect(await requestAt("192.0.2.0", "calm@example.com")).toMatch(DIGITS);

  await enterWrongCodes(service, emails, 1);

  expect(await requestAt("192.0.2.0", "storm@example.com")).toMatch(LETTERS);
  expect(await requestAt("198.51.100.7", "elsewhere@example.com")).toMatch(DIGITS);
  service.clock.advance(HOUR_MS);
  expect(await requestAt("192.0.2.0", "after@example.com")).toMatch(DIGITS);
});

test(
  "sends digits to others when wrong codes come from many networks",
  { tags: "long", timeout: 30_000 },
  async () => {
    const service = await serviceForTest(withLimits);
    const emails = Array.from({ length: 30 }, (_, i) => `botnet${i}@example.com`);

    await enterWrongCodes(service, emails, 500);

    expect(await requestSignUpCodeFor(service, mailbox, "unhurt@example.com")).toMatch(DIGITS);
  },
);

test("accepts a hundred wrong codes an hour per network from browsers that requested no code", async () => {
  const service = await serviceForTest(withLimits);
  const beside = await serviceForTest({ ...withLimits, beside: service });
  const home = { network: "198.51.100.7" };
  const hanako = openClient(service, home);
  const email = "asks@example.com";
  await hanako.call(requestSignUpCode, { email, ...agreed });
  const code = (await mailbox.waitForEmail(email)).code!;
  const enter = (i: number) =>
    openClient(i % 2 ? service : beside, home).call(checkSignUpCode, {
      email: `guess${i % 30}@example.com`,
      code: "none",
    });

  const outcomes = await Promise.allSettled(Array.from({ length: 150 }, (_, i) => enter(i)));

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  const { status } = await expectError(enter(0), "too_many_requests");
  expect(status).toBe(429);
  const stranger = openClient(service, home);
  await expectError(stranger.call(checkSignUpCode, { email, code }), "too_many_requests");
  await expectError(stranger.call(register, signUpForm({ email, code })), "too_many_requests");
  expect(await hanako.call(checkSignUpCode, { email, code: "none" })).toBe(false);
  expect(await hanako.call(checkSignUpCode, { email, code })).toBe(true);
  expect(await openClient(service, { network: "192.0.2.1" }).call(checkSignUpCode, { email, code })).toBe(
    true,
  );
}, 30_000);

test("has none of the limits of wrong codes when limits are off", async () => {
  const service = await serviceForTest({ config });
  const email = "loadtest@example.com";
  const client = openClient(service, { network: "192.0.2.1" });

  for (let i = 0; i < 120; i++)
    expect(await client.call(checkSignUpCode, { email, code: "none" })).toBe(false);

  expect(await requestSignUpCodeFor(service, mailbox, email)).toMatch(DIGITS);
});

test("sends five emails an hour per address and network", async () => {
  const service = await serviceForTest(withLimits);
  const send = (network: string, email = "often@example.com") =>
    openClient(service, { network }).call(requestResetCode, { email });
  for (let i = 0; i < 5; i++) expect(await send("198.51.100.7")).toEqual({});

  expect(await send("198.51.100.7")).toEqual(TOO_OFTEN);
  expect(await send("198.51.100.7", "other@example.com")).toEqual({});
  expect(await send("203.0.113.9")).toEqual({});
  service.clock.advance(HOUR_MS);
  expect(await send("198.51.100.7")).toEqual({});
});

test("sends twenty emails a day per address, five of them to known devices only", async () => {
  const service = await serviceForTest(withLimits);
  const [hanako, taro] = await Promise.all(
    ["hanako", "taro"].map(async (name) => {
      await service.member(name, { at: null, password: "quiet-evenings-7" });
      return (await service.call(logIn, { user_id: name, password: "quiet-evenings-7" })).device!;
    }),
  );
  let networks = 0;
  const send = (email: string, device?: string) =>
    openClient(service, { network: `192.0.2.${networks++}` }).call(requestResetCode, { email, device });
  const earlier = mailbox.emails("hanako@example.com").length;
  const expectEmails = async (count: number) => {
    await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
    expect(mailbox.emails("hanako@example.com")).toHaveLength(earlier + count);
  };
  const strangers = await Promise.all(Array.from({ length: 30 }, () => send("hanako@example.com")));

  expect(new Set(strangers.map((response) => JSON.stringify(response)))).toEqual(new Set(["{}"]));
  await expectEmails(15);
  for (const device of [undefined, "invented", taro])
    expect(await send("hanako@example.com", device)).toEqual({});
  await expectEmails(15);
  for (let i = 0; i < 6; i++) expect(await send("hanako@example.com", hanako)).toEqual({});
  await expectEmails(20);
  service.clock.advance(DAY_MS);
  expect(await send("hanako@example.com")).toEqual({});
  await expectEmails(21);
}, 30_000);
