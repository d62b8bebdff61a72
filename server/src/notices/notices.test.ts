import { afterAll, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import { sendNotice } from "@alcove/contract/notices";
import { saveProfile } from "@alcove/contract/profiles";
import { startMailbox } from "@alcove/test-services/mail";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { fetchChallenge, solve } from "../testing/bot-check.ts";
import { decide } from "../testing/cases.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { fileOf, photo } from "../testing/sample-pictures.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestService } from "../testing/test-service.ts";
import { appealNotice } from "./index.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { smtpUrl: mailbox.url };

const notice: InputOf<typeof sendNotice> = {
  kind: "picture",
  text: "A picture of me, which I never gave anybody.",
  name: "Akiko",
  email: "akiko@example.com",
  good_faith: "yes",
};

const openCases = ({ db }: TestService) =>
  db.selectFrom("cases").selectAll().where("kind", "=", "notice").orderBy("sequence_no").execute();

/** Waits for the search, and returns the accounts that it found. */
async function foundBy(service: TestService, number: string): Promise<number[]> {
  await eventually(async () => expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0));
  const hits = await service.db
    .selectFrom("notice_hits")
    .select("member_no")
    .where("case_no", "=", Number(number))
    .orderBy("member_no")
    .execute();
  return hits.map(({ member_no }) => member_no);
}

async function metricOf(service: TestService): Promise<string | undefined> {
  const text = await (await service.fetch("/metrics")).text();
  return /^alcove_notices_overdue (\S+)$/m.exec(text)?.[1];
}

test("finds copies of a picture that are shown clear and behind glass, and a named account", async () => {
  const service = await serviceForTest({ config: smtp });
  const clear = await service.member("clear", { at: null });
  const glass = await service.member("glass", { at: null });
  const other = await service.member("other", { at: null });
  const named = await service.member("named", { at: null });
  await clear.call(saveProfile, { icon: fileOf(await photo(1, 420)), icon_process: false });
  await glass.call(saveProfile, { icon: fileOf(await photo(1)), icon_process: true, keep_clear_icon: true });
  await other.call(saveProfile, { icon: fileOf(await photo(2)), icon_process: false });

  const byPicture = await service.call(sendNotice, { ...notice, file: fileOf(await photo(1, 800)) });
  expect(byPicture.number).toMatch(/^\d{12}$/);
  expect(await foundBy(service, byPicture.number)).toEqual(
    [clear.memberId, glass.memberId].toSorted((a, b) => a - b),
  );
  const { number } = await service.call(sendNotice, {
    ...notice,
    url: "https://alcove.example/ja/home/NAMED",
  });

  expect(await foundBy(service, number)).toEqual([named.memberId]);
});

test("responds the same, by email too, whether somebody is here or not", async () => {
  const service = await serviceForTest({ config: smtp });
  await service.member("hanako", { at: null });
  const emailsAbout = async (userId: string, email: string) => {
    const { number } = await service.call(sendNotice, { ...notice, userId, email });
    const receipt = await mailbox.waitForEmail(email);
    await foundBy(service, number);
    await decide(service.ctx, Number(number), { rule: "picture", reason: "x" });
    await service.ctx.jobs.add(service.db, "answer_notices", {});
    const answer = await mailbox.waitForEmail(email, 2);
    return [receipt, answer].map(({ subject, text }) => `${subject}\n${text}`.replaceAll(number, "N"));
  };

  const here = await emailsAbout("hanako", "here@example.com");

  expect(here).toEqual(await emailsAbout("nobody", "nowhere@example.com"));
  expect(here[1]).toContain("If it was here, it no longer is. We never say who is a member.");
});

test("has a clock of 48 hours for an intimate picture, else of 7 days, and counts overdue notices", async () => {
  const service = await serviceForTest({ config: smtp });
  service.clock.set("2027-03-04T10:20:00Z");
  await service.call(sendNotice, { ...notice, kind: "intimate" });
  await service.call(sendNotice, notice);
  await service.call(sendNotice, { ...notice, kind: "child", userId: "somebody" });

  const opened = await openCases(service);
  expect(opened.map(({ due_at }) => due_at!.toISOString())).toEqual([
    "2027-03-06T10:00:00.000Z",
    "2027-03-11T10:00:00.000Z",
    "2027-03-11T10:00:00.000Z",
  ]);
  expect(opened[2]!.rank).toBeLessThan(opened[0]!.rank);
  expect(await metricOf(service)).toBe("0");
  service.clock.advance(2 * DAY_MS);
  expect(await metricOf(service)).toBe("1");
});

test("rejects a notice without content, name, address or good faith, and a picture of a child", async () => {
  const service = await serviceForTest({ config: smtp });
  const file = fileOf(await photo(1));

  for (const change of [
    { text: "" },
    { name: " " },
    { email: "nobody" },
    { good_faith: undefined },
    { kind: "gossip" },
    { kind: "child", file },
  ] as unknown as Partial<typeof notice>[])
    await expectError(service.call(sendNotice, { ...notice, ...change }), "invalid_input");

  expect(await openCases(service)).toEqual([]);
  await service.call(sendNotice, { ...notice, text: null, file });
});

test("requires a bot check of its own, and accepts five notices an hour from a network", async () => {
  const service = await serviceForTest({ config: { ...smtp, botCheck: "altcha" } });
  const ofContact = await solve(await fetchChallenge(service, { action: "Contact" }));
  for (const recaptchaToken of [undefined, "invented", ofContact])
    await expectError(service.call(sendNotice, { ...notice, recaptchaToken }), "invalid_input");
  const own = await solve(await fetchChallenge(service, { action: "Notice" }));
  await service.call(sendNotice, { ...notice, recaptchaToken: own, file: fileOf(await photo(1)) });

  const limited = await serviceForTest({ config: { ...smtp, hasRateLimits: true } });
  for (let i = 0; i < 5; i++) await limited.call(sendNotice, notice);
  await expectError(limited.call(sendNotice, notice), "too_many_requests");
  limited.clock.advance(HOUR_MS);
  await limited.call(sendNotice, notice);
});

test("stores who wrote only encrypted, and takes one objection", async () => {
  const service = await serviceForTest({ config: smtp });
  const email = "objects@example.com";
  const { number } = await service.call(sendNotice, { ...notice, email, name: "Akiko Yosano" });
  const stored = await dumpTables(service.databaseUrl);
  for (const word of [email, "Akiko Yosano", notice.text!])
    expect(placesWith(encodingsOf(word), stored)).toEqual([]);
  const answer = async () => {
    await decide(service.ctx, Number(number), { rule: "picture", reason: "x" });
    await service.ctx.jobs.add(service.db, "answer_notices", {});
  };
  expect(await appealNotice(service.ctx, Number(number), "too early")).toBe(false);
  await answer();
  await mailbox.waitForEmail(email, 2);

  expect(await appealNotice(service.ctx, Number(number), "But it is me.")).toBe(true);
  expect(await appealNotice(service.ctx, Number(number), "Again.")).toBe(false);
  await answer();

  expect((await mailbox.waitForEmail(email, 3)).text).toContain("once more");
});
