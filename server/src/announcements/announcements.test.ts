import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RETENTION } from "@alcove/contract/retention";
import { languages } from "@alcove/i18n";
import { startMailbox } from "@alcove/test-services/mail";
import { readOperatorActions, suspendMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { storedEmailJobs } from "../testing/jobs.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, type TestMember, type TestService, testService } from "../testing/test-service.ts";
import { announce, sweepAnnouncements } from "./announcements.ts";

const mailbox = await startMailbox();
const folder = await mkdtemp(join(tmpdir(), "announce-"));
afterAll(async () => {
  await mailbox.close();
  await rm(folder, { recursive: true });
});
const name = join(folder, "notice");
const withEmail = () => serviceForTest({ config: { smtpUrl: mailbox.url } });

/** Subjects and texts begin with the language. */
async function writeTexts(changed = ""): Promise<void> {
  for (const language of languages)
    await writeFile(
      `${name}.${language}.txt`,
      `\ufeff${language} subject\r\n\r\n${language} first ${changed}\r\nline\r\n\r\nsecond <b>&\r\n`,
    );
}

const run = ({ databaseUrl, dataDir }: TestService, ...args: string[]) =>
  operator(environmentOf({ databaseUrl, dataDir }), "announce", ...args, "--text-file", name);

const sent = async (service: TestService, ...args: string[]) => {
  const { code, out, problems } = await run(service, ...args, "--json");
  expect({ code, problems }).toEqual({ code: 0, problems: "" });
  return JSON.parse(out) as { queued: string; earlier: string; unknown: { user_id: string }[] };
};

async function speak({ db }: TestService, { memberId }: TestMember, language: string): Promise<void> {
  await db.updateTable("members").set({ language }).where("member_no", "=", memberId).execute();
}

const noEmailWaits = (service: TestService) =>
  eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));

test("emails every member once in their language, suspended ones too, however often the command runs", async () => {
  const service = await withEmail();
  await writeTexts();
  for (const language of languages) await speak(service, await service.member(`told-${language}`), language);
  await suspendMember(service.ctx, (await service.member("told-suspended")).memberId);

  const first = await sent(service, "--to", "all", "--reason", "news");
  const again = await sent(service, "--to", "all");
  await noEmailWaits(service);

  expect([first, again]).toEqual([
    { queued: "5", earlier: "0", unknown: [] },
    { queued: "0", earlier: "5", unknown: [] },
  ]);
  for (const language of languages) {
    const [email, ...more] = mailbox.emails(`told-${language}@example.com`);
    expect(more).toEqual([]);
    expect(email!.subject).toBe(`${language} subject`);
    expect(email!.text.trim()).toBe(`${language} first \nline\n\nsecond <b>&\n\nAlcove`);
    expect(email!.html).toContain("second &lt;b&gt;&amp;");
    expect(email!.headers.get("reply-to")).toBe("hello@alcove.example");
  }
  expect(mailbox.emails("told-suspended@example.com")).toHaveLength(1);
  const log = await readOperatorActions(service.ctx, null);
  expect(log.map(({ action, reason }) => [action, reason])).toContainEqual(["announce to=all", "news"]);
});

test("emails the members of a file under one subject, skips unknown ids, and sends a changed text anew", async () => {
  const service = await withEmail();
  await writeTexts();
  for (const id of ["affected", "other"]) await service.member(id);
  const file = join(folder, "affected.txt");
  await writeFile(file, "AFFECTED\n\nnobody\r\naffected\n");

  const first = await sent(service, "--to", file, "--subject", "Please read");
  const toAll = await sent(service, "--to", "all", "--subject", "Please read");
  await writeTexts("changed");
  const changed = await sent(service, "--to", file, "--subject", "Please read");
  await noEmailWaits(service);

  expect(first).toEqual({ queued: "1", earlier: "0", unknown: [{ user_id: "nobody" }] });
  expect(toAll).toMatchObject({ queued: "1", earlier: "1" });
  expect(changed).toMatchObject({ queued: "1", earlier: "0" });
  const [email, ...more] = mailbox.emails("affected@example.com");
  expect(more).toHaveLength(1);
  expect(email!.subject).toBe("Please read");
  expect(email!.text).toMatch(/^en subject\n\nen first/);
  expect(mailbox.emails("other@example.com")).toHaveLength(1);
});

test("continues after a crash between two members", async () => {
  const service = await withEmail();
  await writeTexts();
  const [one, two] = [await service.member("before-crash"), await service.member("after-crash")];
  const text = { subject: "Hello", paragraphs: ["Text"] };
  const emails = { en: text, ja: text, "zh-hans": text, "zh-hant": text };
  await service.ctx.jobs.stop();
  expect(await announce(service.ctx, emails, [one.memberId])).toEqual({ queued: 1, earlier: 0 });

  const both = await Promise.all([1, 2, 3].map(() => announce(service.ctx, emails, "all")));

  expect(both.reduce((sum, { queued }) => sum + queued, 0)).toBe(1);
  const queued = await storedEmailJobs(service);
  expect(queued).toHaveLength(2);
  expect(queued.join("")).not.toMatch(/example\.com|Hello|Text/);
  await testService({ beside: service, config: service.ctx.config });
  await noEmailWaits(service);
  for (const { user_id } of [one, two]) expect(mailbox.emails(`${user_id}@example.com`)).toHaveLength(1);
});

test("forgets an announcement, its receivers and its key after its period", async () => {
  const service = await withEmail();
  await writeTexts();
  await service.member("is-forgotten");
  await sent(service, "--to", "all");
  await noEmailWaits(service);
  const keys = async () =>
    (await service.db.selectFrom("data_keys").select("key_id").where("key_id", "<", -2_000_000).execute())
      .length;
  const before = await keys();

  service.clock.advance(RETENTION.announcementDays * DAY_MS);
  await sweepAnnouncements(service.ctx);
  expect(await service.db.selectFrom("announced_members").select("member_no").execute()).toHaveLength(1);
  service.clock.advance(DAY_MS);
  await sweepAnnouncements(service.ctx);

  expect(await service.db.selectFrom("announced_members").select("member_no").execute()).toEqual([]);
  expect(await keys()).toBe(before - 1);
});

test("sends nothing without a text in each language, or with a word about marriage", async () => {
  const service = await withEmail();
  await service.member("told-nothing");
  const problemOf = async (...args: string[]) => (await run(service, ...args)).problems;
  await writeTexts("結婚");
  expect(await problemOf("--to", "all")).toContain('says "結婚"');
  await writeTexts();
  await writeFile(`${name}.ja.txt`, "件名だけ\n");
  expect(await problemOf("--to", "all")).toContain("notice.ja.txt needs a subject");
  await rm(`${name}.zh-hant.txt`);
  await writeFile(`${name}.ja.txt`, "件名\n本文");
  expect(await problemOf("--to", "all")).toContain("notice.zh-hant.txt cannot be read");
  await writeTexts();
  expect(await problemOf("--to", join(folder, "missing.txt"))).toContain("missing.txt cannot be read");
  expect(await problemOf()).toContain("announce needs --to");

  expect(await service.db.selectFrom("announcements").select("announcement_id").execute()).toEqual([]);
});
