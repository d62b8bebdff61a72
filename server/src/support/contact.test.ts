import { afterAll, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import { contactSupport } from "@alcove/contract/contact";
import { CONTACT_MAX } from "@alcove/contract/limits";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { fetchChallenge, solve } from "../testing/bot-check.ts";
import { makeJobsDue, storedEmailJobs } from "../testing/jobs.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError } from "../testing/test-service.ts";

const SUPPORT = "hello@alcove.example";
const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { smtpUrl: mailbox.url };
const question = { email: "hanako@example.com", message: "How do I change my address?" };

/** Emails of all tests go to one address, so each test names the number that it waits for. */
const received = () => mailbox.emails(SUPPORT).length;

test("sends a question as plain text to the support address, with the writer for the reply", async () => {
  const service = await serviceForTest({ config: smtp });
  const before = received();
  const message = "件名: 質問\r\n.\r\nMAIL FROM:<x@evil.example>\r\nBcc: x@evil.example\r\n<b>1 & 2</b>";

  await service.call(contactSupport, { email: "花子@例え.jp", message }, "ja");
  await service.call(contactSupport, question);
  const [first, second] = [
    await mailbox.waitForEmail(SUPPORT, before + 1),
    await mailbox.waitForEmail(SUPPORT, before + 2),
  ]
    .toSorted((one, other) => one.subject.localeCompare(other.subject, "en"))
    .toReversed();

  expect(first!.subject).toBe("Alcove: question (ja)");
  expect(first!.text).toBe(`${message.replaceAll("\r\n", "\n")}\n\n--\n花子@例え.jp\n`);
  expect([first!.html, first!.headers.get("bcc"), first!.headers.get("content-type")]).toEqual([
    "",
    undefined,
    expect.stringMatching(/^text\/plain/),
  ]);
  expect(second!.headers.get("reply-to")).toBe("hanako@example.com");
  expect(second!.from.address).toBe("no-reply@localhost");
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
});

test("rejects headers, several addresses, and missing or too much text", async () => {
  const service = await serviceForTest({ config: smtp });
  await service.ctx.jobs.stop();

  const changes: Partial<InputOf<typeof contactSupport>>[] = [
    { email: "a@example.com, b@example.com" },
    { email: "a@example.com\r\nBcc: b@example.com" },
    { email: "B <b@example.com>" },
    { email: "" },
    { message: " \n\u2800 " },
    { message: "あ".repeat(CONTACT_MAX + 1) },
  ];
  for (const change of changes)
    await expectError(service.call(contactSupport, { ...question, ...change }), "invalid_input");

  expect(await storedEmailJobs(service)).toEqual([]);
});

test("requires a bot check of its own", async () => {
  const service = await serviceForTest({ config: { ...smtp, botCheck: "altcha" } });
  await service.ctx.jobs.stop();
  const ofLogin = await solve(await fetchChallenge(service, { action: "Login" }));
  const own = await solve(await fetchChallenge(service, { action: "Contact" }));

  for (const recaptchaToken of [undefined, "invented", ofLogin]) {
    const asked = service.call(contactSupport, { ...question, recaptchaToken });
    await expectError(asked, "invalid_input");
  }
  await service.call(contactSupport, { ...question, recaptchaToken: own });
  await expectError(service.call(contactSupport, { ...question, recaptchaToken: own }), "invalid_input");

  expect(await storedEmailJobs(service)).toHaveLength(1);
});

test("accepts five questions an hour from a network", async () => {
  const service = await serviceForTest({ config: { ...smtp, hasRateLimits: true } });
  await service.ctx.jobs.stop();

  for (let i = 0; i < 5; i++) await service.call(contactSupport, { ...question, email: `w${i}@example.com` });
  await expectError(service.call(contactSupport, question), "too_many_requests");

  expect(await storedEmailJobs(service)).toHaveLength(5);
  service.clock.advance(HOUR_MS);
  await service.call(contactSupport, question);
});

test("stores a question only encrypted, and tries for two days", async () => {
  const service = await serviceForTest({ config: smtp });
  const before = received();
  mailbox.rejectNext(451);
  await service.call(contactSupport, question);
  const [job = ""] = await eventually(async () => {
    const jobs = await storedEmailJobs(service);
    expect(jobs).toHaveLength(1);
    return jobs;
  });
  expect(job).not.toMatch(/hanako|address/);

  service.clock.advance(2 * DAY_MS + HOUR_MS);
  await eventually(async () => {
    await makeJobsDue(service);
    expect(await storedEmailJobs(service)).toEqual([]);
  });

  expect(received()).toBe(before);
});
