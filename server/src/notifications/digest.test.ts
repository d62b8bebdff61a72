import { afterAll, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { readDm, sendDm } from "@alcove/contract/messaging";
import { endLetters, getNotifications, saveNotifications, sawNews } from "@alcove/contract/notifications";
import { startMailbox } from "@alcove/test-services/mail";
import { createMember, openSession, suspendMember } from "../accounts/index.ts";
import { openPush } from "../integrations/push/web-push.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { hurryJobs } from "../testing/jobs.ts";
import { match, serviceOfTest } from "../testing/match.ts";
import { profileOf } from "../testing/profile.ts";
import { eventually, refused, type TestMember, type TestService } from "../testing/test-service.ts";
import { processOutbox } from "./outbox.ts";
import { sendNotifications } from "./send-notifications.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const CHOICES = {
  push: true,
  quiet_hours: false,
  quiet_from: "22:00",
  quiet_to: "07:00",
  time_zone: "UTC",
  digest: true,
};
let cities = 0;

/** Hanako writes; Taro, who is told by letter and reads the language, has an address of his own in each test. */
async function coupleOfTest(language = "en") {
  const service = await serviceOfTest({
    config: { smtpUrl: mailbox.url, publicUrl: "https://alcove.example" },
  });
  service.clock.set("2030-03-01T12:00:00Z");
  const to = `taro${++cities}@example.com`;
  const made = await createMember(service.ctx, {
    userId: "taro",
    password: null,
    email: to,
    language: language as "en",
    profile: profileOf({ username: "Taro the Quiet", sex: "male" }),
    iconProcess: true,
  });
  const hanako = await service.member("hanako", { paid: true, sex: "female" });
  const taro = await again(service, { ...made, user_id: "taro" });
  await match(hanako, taro);
  await taro.ask(saveNotifications, CHOICES);
  await taro.ask(sawNews, {});
  return { service, hanako, taro, to };
}

/** A member in a new session, after the clock was set ahead. */
async function again(
  service: TestService,
  { memberId, user_id }: { memberId: number; user_id: string },
): Promise<TestMember> {
  const tokens = await openSession(service.ctx, { memberId, userId: user_id });
  return service.meet({ memberId, user_id, ...tokens } as TestMember);
}

async function say(service: TestService, from: TestMember): Promise<string> {
  const { ask } = await again(service, from);
  const { dm } = await ask(sendDm, { receiverId: "taro", description: "Meet me at the river" });
  await processOutbox(service.ctx);
  return dm.id;
}

async function after(service: TestService, ms: number): Promise<void> {
  service.clock.advance(ms);
  await sendNotifications(service.ctx, openPush(service.ctx.config, service.ctx.secrets));
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

const count = (to: string) => mailbox.letters(to).length;

test.each([
  ["en", "You have something new."],
  ["ja", "新しいお知らせがあります。"],
  ["zh-hans", "您有一条新提醒。"],
  ["zh-hant", "您有一則新提醒。"],
])("who has been away gets a letter that names nobody, in %s", async (language, sentence) => {
  const { service, hanako, to } = await coupleOfTest(language);
  await say(service, hanako);
  await after(service, 11 * HOUR_MS);
  expect(count(to)).toBe(0);

  await after(service, HOUR_MS);

  const letter = await mailbox.waitForLetter(to);
  const all = `${letter.subject} ${letter.text} ${letter.html}`;
  expect(letter.text.startsWith(`${sentence}\n`)).toBe(true);
  expect(all).not.toMatch(/hanako|taro|river|match|messag|love|dating/i);
  const link = /<(\S+)>/.exec(letter.headers.get("list-unsubscribe") ?? "")?.[1];
  expect(link).toMatch(new RegExp(`^https://alcove.example/${language}/unsubscribe\\?token=[\\w-]+$`));
  expect(letter.text).toContain(link);
  expect(letter.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
});

test("nobody gets letters who has not asked for them", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await taro.ask(saveNotifications, { ...CHOICES, digest: false });

  await say(service, hanako);
  await after(service, 2 * DAY_MS);

  expect(count(to)).toBe(0);
});

test("a letter comes once a day at most, and only for what is new", async () => {
  const { service, hanako, to } = await coupleOfTest();
  await say(service, hanako);
  await after(service, 12 * HOUR_MS);
  expect(count(to)).toBe(1);

  await say(service, hanako);
  await after(service, 23 * HOUR_MS);
  expect(count(to)).toBe(1);
  await after(service, HOUR_MS);
  expect(count(to)).toBe(2);

  await after(service, 3 * DAY_MS);
  expect(count(to)).toBe(2);
});

test("who was here lately, or has read it, gets no letter", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  const dmId = await say(service, hanako);
  service.clock.advance(10 * HOUR_MS);
  const back = await again(service, taro); // comes back, and looks at nothing
  await after(service, 2 * HOUR_MS);
  expect(count(to)).toBe(0);

  await (await again(service, back)).ask(readDm, { friendId: "hanako", dmId });
  await after(service, 2 * DAY_MS);
  expect(count(to)).toBe(0);
});

test("a letter that is due within quiet hours comes after them", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await taro.ask(saveNotifications, {
    ...CHOICES,
    quiet_hours: true,
    quiet_from: "23:00",
    quiet_to: "08:30",
  });
  await say(service, hanako);

  await after(service, 12 * HOUR_MS); // midnight
  expect(count(to)).toBe(0);
  await after(service, 8 * HOUR_MS + 29 * MINUTE_MS);
  expect(count(to)).toBe(0);
  await after(service, MINUTE_MS);
  expect(count(to)).toBe(1);
});

test("the letter's own address ends the letters by POST alone, as mail programs and people send it", async () => {
  const { service, hanako, taro, to } = await coupleOfTest();
  await say(service, hanako);
  await after(service, 12 * HOUR_MS);
  const { headers } = await mailbox.waitForLetter(to);
  const { pathname, search, searchParams } = new URL(headers.get("list-unsubscribe")!.slice(1, -1));
  const choices = async () => (await (await again(service, taro)).ask(getNotifications, {})).digest;

  await service.fetch(pathname + search); // a scanner looks
  await service.fetch(pathname + search, { method: "HEAD" });
  expect(await choices()).toBe(true);

  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const answer = await service.fetch(pathname + search, { method: "POST", body });
  expect(answer.status).toBe(204);
  expect(await choices()).toBe(false);
  await service.ask(endLetters, { token: searchParams.get("token")! }); // harmless to repeat

  await say(service, hanako);
  await after(service, 2 * DAY_MS);
  expect(count(to)).toBe(1);
});

test("a token that was changed, or made for something else, ends nothing", async () => {
  const { service, taro } = await coupleOfTest();
  const other = service.ctx.encryption.encrypt(String(taro.memberId), "something.else").toString("base64url");

  for (const token of ["a", "AQJrMQ", other, `${other.slice(0, -2)}AA`])
    await refused(service.ask(endLetters, { token }), "not_found");

  expect((await taro.ask(getNotifications, {})).digest).toBe(true);
});

test("a member who is suspended or gone when the letter is due gets none", async () => {
  for (const end of [
    (service: TestService, taro: TestMember) => suspendMember(service.ctx, taro.memberId),
    (_service: TestService, taro: TestMember) => taro.ask(deleteAccount, {}),
  ]) {
    const { service, hanako, taro, to } = await coupleOfTest();
    await say(service, hanako);
    await end(service, taro);

    await after(service, 2 * DAY_MS);

    expect(count(to)).toBe(0);
  }
});

test("a letter is sent again under the same id when the mail server failed", async () => {
  const { service, hanako, to } = await coupleOfTest();
  mailbox.loseNextAnswer();
  await say(service, hanako);
  service.clock.advance(12 * HOUR_MS);
  await sendNotifications(service.ctx, openPush(service.ctx.config, service.ctx.secrets));

  const first = await mailbox.waitForLetter(to);
  await eventually(async () => {
    await hurryJobs(service);
    expect(count(to)).toBe(2);
  });

  expect(mailbox.letters(to).map(({ messageId }) => messageId)).toEqual([first.messageId, first.messageId]);
});
