import { afterAll, expect, test } from "vitest";
import { deleteAccount, saveSessions } from "@alcove/contract/accounts";
import { readDm, sendDm } from "@alcove/contract/messaging";
import { endLetters, getNotifications, saveNotifications, sawNews } from "@alcove/contract/notifications";
import { startMailbox } from "@alcove/test-services/mail";
import { createMember, openSession, suspendMember } from "../accounts/index.ts";
import { createPushSender } from "../integrations/push/push-sender.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { sealToken } from "../platform/keys/sealed-token.ts";
import { makeJobsDue } from "../testing/jobs.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { sampleProfile } from "../testing/profile.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { processOutbox } from "./outbox.ts";
import { RETRY_MS, sendNotifications } from "./send-notifications.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const PREFERENCES = {
  push: true,
  quiet_hours: false,
  quiet_from: "22:00",
  quiet_to: "07:00",
  digest: true,
};
let emails = 0;

/** Hanako writes; Taro gets digest emails in this language, at a different address in each test. */
async function coupleOfTest(language = "en") {
  const service = await serviceForTest({
    config: { smtpUrl: mailbox.url, publicUrl: "https://alcove.example" },
  });
  service.clock.set("2030-03-01T12:00:00Z");
  const to = `taro${++emails}@example.com`;
  const made = await createMember(service.ctx, {
    userId: "taro",
    password: null,
    email: to,
    language: language as "en",
    profile: sampleProfile({ username: "Taro the Quiet", sex: "male" }),
    iconProcess: true,
  });
  const hanako = await service.member("hanako", { paid: true, sex: "female" });
  const taro = await again(service, { ...made, user_id: "taro" });
  await match(hanako, taro);
  await taro.call(saveNotifications, PREFERENCES);
  await taro.call(sawNews, {});
  await taro.call(saveSessions, { tells_new_devices: false });
  return { service, hanako, taro, to };
}

/** A new session, after the clock was advanced. */
async function again(
  service: TestService,
  { memberId, user_id }: { memberId: number; user_id: string },
): Promise<TestMember> {
  const tokens = await openSession(service.ctx, memberId);
  return service.memberAt({ memberId, user_id, ...tokens } as TestMember);
}

async function writeToTaro(service: TestService, from: TestMember): Promise<string> {
  const { call } = await again(service, from);
  const { dm } = await call(sendDm, { receiverId: "taro", description: "Meet me at the river" });
  // The server may process the entry at the same time.
  await eventually(async () => {
    await processOutbox(service.ctx);
    expect(await service.db.selectFrom("notification_outbox").select("kind").execute()).toEqual([]);
  });
  return dm.id;
}

async function after(service: TestService, ms: number): Promise<void> {
  service.clock.advance(ms);
  await look(service);
  await eventually(async () => {
    const jobs = await service.db
      .withTables<{ "graphile_worker.jobs": { task_identifier: string } }>()
      .selectFrom("graphile_worker.jobs")
      .select("task_identifier")
      .where("task_identifier", "=", "digest_email")
      .execute();
    expect(jobs).toEqual([]);
  });
}

/** Waits for a look of the server itself. */
async function look({ ctx }: TestService): Promise<void> {
  const push = createPushSender(ctx);
  await eventually(async () => expect(await sendNotifications(ctx, push)).not.toBe(RETRY_MS));
  push.close();
}

/** Counts digests only: a suspended member gets an email about that. */
const count = (to: string) =>
  mailbox.emails(to).filter(({ headers }) => headers.has("list-unsubscribe")).length;

test.each([
  ["en", "You have something new."],
  ["ja", "新しいお知らせがあります。"],
  ["zh-hans", "您有一条新提醒。"],
  ["zh-hant", "您有一則新提醒。"],
])("sends an email without names after an absence, in %s", async (language, sentence) => {
  const { service, hanako, to } = await coupleOfTest(language);
  await writeToTaro(service, hanako);
  await after(service, 11 * HOUR_MS);
  expect(count(to)).toBe(0);

  await after(service, HOUR_MS);

  const email = await mailbox.waitForEmail(to);
  const all = `${email.subject} ${email.text} ${email.html}`;
  expect(email.text.startsWith(`${sentence}\n`)).toBe(true);
  expect(all).not.toMatch(/hanako|taro|river|match|messag|love|dating/i);
  const link = /<(\S+)>/.exec(email.headers.get("list-unsubscribe") ?? "")?.[1];
  expect(link).toMatch(new RegExp(`^https://alcove.example/${language}/unsubscribe\\?token=[\\w-]+$`));
  expect(email.text).toContain(link);
  expect(email.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
});

test("sends no email when the digest is off", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await taro.call(saveNotifications, { ...PREFERENCES, digest: false });

  await writeToTaro(service, hanako);
  await after(service, 2 * DAY_MS);

  expect(count(to)).toBe(0);
});

test("sends one email a day at most, and only for new events", async () => {
  const { service, hanako, to } = await coupleOfTest();
  await writeToTaro(service, hanako);
  await after(service, 12 * HOUR_MS);
  expect(count(to)).toBe(1);

  await writeToTaro(service, hanako);
  await after(service, 23 * HOUR_MS);
  expect(count(to)).toBe(1);
  await after(service, HOUR_MS);
  expect(count(to)).toBe(2);

  await after(service, 3 * DAY_MS);
  expect(count(to)).toBe(2);
});

test("sends no email when the member was active lately or has read the message", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  const dmId = await writeToTaro(service, hanako);
  service.clock.advance(10 * HOUR_MS);
  const back = await again(service, taro); // logs in again without opening a screen
  await after(service, 2 * HOUR_MS);
  expect(count(to)).toBe(0);

  await (await again(service, back)).call(readDm, { friendId: "hanako", dmId });
  await after(service, 2 * DAY_MS);
  expect(count(to)).toBe(0);
});

test("sends an email after the quiet hours when it is due in them", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await taro.call(saveNotifications, {
    ...PREFERENCES,
    quiet_hours: true,
    quiet_from: "23:00",
    quiet_to: "08:30",
  });
  await writeToTaro(service, hanako);

  await after(service, 12 * HOUR_MS); // midnight
  expect(count(to)).toBe(0);
  await after(service, 8 * HOUR_MS + 29 * MINUTE_MS);
  expect(count(to)).toBe(0);
  await after(service, MINUTE_MS);
  expect(count(to)).toBe(1);
});

test("ends the emails only when the unsubscribe URL gets a POST request", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await writeToTaro(service, hanako);
  await after(service, 12 * HOUR_MS);
  const { headers } = await mailbox.waitForEmail(to);
  const { pathname, search, searchParams } = new URL(headers.get("list-unsubscribe")!.slice(1, -1));
  const readDigest = async () => (await (await again(service, taro)).call(getNotifications, {})).digest;

  await service.fetch(pathname + search); // a scanner follows the link
  await service.fetch(pathname + search, { method: "HEAD" });
  expect(await readDigest()).toBe(true);

  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const response = await service.fetch(pathname + search, { method: "POST", body });
  expect(response.status).toBe(204);
  expect(await readDigest()).toBe(false);
  await service.call(endLetters, { token: searchParams.get("token")! }); // harmless to repeat

  await writeToTaro(service, hanako);
  await after(service, 2 * DAY_MS);
  expect(count(to)).toBe(1);
});

test("rejects a changed token or one for another purpose", async () => {
  const { service, taro } = await coupleOfTest();
  const other = sealToken(service.ctx.secrets, Buffer.from(String(taro.memberId)), "something.else");

  for (const token of ["a", "AQJrMQ", other, `${other.slice(0, -2)}AA`])
    await expectError(service.call(endLetters, { token }), "not_found");

  expect((await taro.call(getNotifications, {})).digest).toBe(true);
});

test("sends no email when the member is suspended or deleted by then", async () => {
  for (const end of [
    (service: TestService, taro: TestMember) => suspendMember(service.ctx, taro.memberId),
    (_service: TestService, taro: TestMember) => taro.call(deleteAccount, {}),
  ]) {
    const { service, hanako, taro, to } = await coupleOfTest();
    await writeToTaro(service, hanako);
    await end(service, taro);

    await after(service, 2 * DAY_MS);

    expect(count(to)).toBe(0);
  }
});

test("repeats an email under the same id when the mail server has failed", async () => {
  const { service, hanako, to } = await coupleOfTest();
  mailbox.loseNextResponse();
  await writeToTaro(service, hanako);
  service.clock.advance(12 * HOUR_MS);
  await look(service);

  const first = await mailbox.waitForEmail(to);
  await eventually(async () => {
    await makeJobsDue(service);
    expect(count(to)).toBe(2);
  });

  expect(mailbox.emails(to).map(({ messageId }) => messageId)).toEqual([first.messageId, first.messageId]);
});
