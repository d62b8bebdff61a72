import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { checkSignUpCode, logIn, requestSignUpCode } from "@alcove/contract/accounts";
import { changePassword, requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, testService } from "../../testing/test-service.ts";
import { makeJobsDue, storedEmailJobs } from "../../testing/jobs.ts";
import { agreed, requestSignUpCodeFor, requestResetCodeFor } from "../../testing/sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url } };

test("writes an email in the reader's language as text and HTML, without naming its subject", async () => {
  const service = await serviceForTest(smtp);

  for (const language of languages) {
    const to = `reader-${language}@example.com`;
    await service.call(requestSignUpCode, { email: to, ...agreed }, language);
    const sentEmail = await mailbox.waitForEmail(to);

    expect(sentEmail.code).toMatch(/^\d{8}$/);
    expect(sentEmail.text).toContain(`\n${sentEmail.code}\n`);
    expect(sentEmail.html).toContain(sentEmail.code);
    expect(sentEmail.from).toEqual({ name: "Alcove", address: "no-reply@localhost" });
    expect(sentEmail.subject).toContain(sentEmail.code);
    expect(sentEmail.subject).toContain("Alcove");
    expect(sentEmail.subject + sentEmail.text + sentEmail.html).not.toMatch(
      /match|marri|dating|結婚|既婚|已婚|交友|婚/i,
    );
  }
  const subjects = languages.map((language) =>
    mailbox.emails(`reader-${language}@example.com`)[0]?.subject.replace(/\d+/, ""),
  );
  expect(new Set(subjects).size).toBe(languages.length);
});

test("sends an explanation without a code when the address has an account", async () => {
  const service = await serviceForTest(smtp);
  await service.member("known", { at: null });

  const unknown = await service.call(requestSignUpCode, { email: "unknown@example.com", ...agreed });
  const known = await service.call(requestSignUpCode, { email: "KNOWN@example.com", ...agreed });

  expect(known).toEqual(unknown);
  const sentEmail = await mailbox.waitForEmail("KNOWN@example.com");
  expect(sentEmail.code).toBeNull();
  expect(sentEmail.text).toContain("It already has an account.");
  expect(sentEmail.subject).toBe("Alcove: your request");
});

test("repeats Message-ID and code when an email is sent twice", async () => {
  const service = await serviceForTest(smtp);
  const email = "copies@example.com";
  mailbox.loseNextResponse();

  const code = await requestSignUpCodeFor(service, mailbox, email);
  const copy = await eventually(async () => {
    await makeJobsDue(service);
    const [, second] = mailbox.emails(email);
    expect(second).toBeDefined();
    return second!;
  });

  expect(copy.code).toBe(code);
  expect(copy.messageId).toBe(mailbox.emails(email)[0]?.messageId);
  expect(copy.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
});

test("delivers an email once when the mail server is busy and then hangs up", async () => {
  const service = await serviceForTest(smtp);
  const email = "retry@example.com";
  mailbox.rejectNext(451, 4);
  mailbox.disconnectNext(2);

  await service.call(requestSignUpCode, { email, ...agreed });
  const [job] = await storedEmailJobs(service);
  await eventually(async () => {
    await makeJobsDue(service);
    expect(await storedEmailJobs(service)).toEqual([]);
  }, 15_000);

  const [sentEmail, ...more] = mailbox.emails(email);
  expect(more).toEqual([]);
  const { emailId } = JSON.parse(job!) as { emailId: string };
  expect(sentEmail!.messageId).toBe(`<${emailId}@localhost>`);
  expect(await service.call(checkSignUpCode, { email, code: sentEmail!.code! })).toBe(true);
});

test(
  "sends an email from another process with the same Message-ID when the sending process dies",
  { tags: "long" },
  async () => {
    const service = await serviceForTest(smtp);
    await service.ctx.jobs.stop();
    const isAsked = mailbox.ignoreNext();
    const variables = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, SMTP_URL: mailbox.url };
    const dies = await startServer({ ...variables, BOT_CHECK: "off", LOG_LEVEL: "warn" });
    const email = "survives@example.com";

    await createClient(dies.url).call(requestResetCode, { email });
    await isAsked;
    const [job] = await storedEmailJobs(service);
    await dies.stop("SIGKILL");
    const comes = await startServer({ ...variables, BOT_CHECK: "off", LOG_LEVEL: "warn" });
    onTestFinished(() => void comes.stop());

    const sentEmail = await mailbox.waitForEmail(email);
    const { emailId } = JSON.parse(job!) as { emailId: string };
    expect(sentEmail.messageId).toBe(`<${emailId}@localhost>`);
  },
);

test("sends an email from the next process when the process that owns its job is gone", async () => {
  const service = await serviceForTest(smtp);
  await service.ctx.jobs.stop();
  await service.call(requestResetCode, { email: "left@example.com" });
  // A private table, because no documented call locks a job for another process.
  await sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'an ended worker'
    where payload ->> 'emailId' is not null`.execute(service.db);

  await testService({ ...smtp, beside: service });

  await mailbox.waitForEmail("left@example.com");
});

test("marks every email as automatic and includes nothing to fetch or follow", async () => {
  const service = await serviceForTest(smtp);
  await service.member("plain", { at: null, password: "quiet-evenings-7" });

  await service.call(requestSignUpCode, { email: "plain-new@example.com", ...agreed });
  await service.call(requestSignUpCode, { email: "plain@example.com", ...agreed });
  await mailbox.waitForEmail("plain@example.com");
  await service.call(requestResetCode, { email: "plain-none@example.com" });
  const code = await requestResetCodeFor(service, mailbox, "plain@example.com", 2);
  await service.call(resetPassword, {
    email: "plain@example.com",
    code,
    password: "louder-mornings-8",
    passwordConfirmation: "louder-mornings-8",
  });
  await mailbox.waitForEmail("plain@example.com", 3);
  await mailbox.waitForEmail("plain-new@example.com");
  await mailbox.waitForEmail("plain-none@example.com");

  const addresses = ["plain-new@example.com", "plain-none@example.com", "plain@example.com"];
  const sentEmails = addresses.flatMap((address) => mailbox.emails(address));
  expect(sentEmails).toHaveLength(5);
  for (const { headers, html, text } of sentEmails) {
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(headers.get("list-unsubscribe")).toBeUndefined();
    expect(html + text).not.toMatch(
      /https?:|\b(?:href|src|url\(|background)=?|<(?:a|img|link|script|iframe)\b/i,
    );
  }
});

test("writes to an address with an account in the member's language", async () => {
  const service = await serviceForTest(smtp);
  const { memberId } = await service.member("reads-japanese", { at: null });
  await sql`update members set language = 'ja' where member_no = ${memberId}`.execute(service.db);
  const email = "reads-japanese@example.com";

  await service.call(requestResetCode, { email }, "en");
  const reset = await mailbox.waitForEmail(email);
  await service.call(requestSignUpCode, { email, ...agreed }, "zh-hant");
  const known = await mailbox.waitForEmail(email, 2);

  expect(reset.text).toContain(allTranslations.ja.emails.codeIntro);
  expect(known.text).toContain(allTranslations.ja.emails.accountExists);
});

test("sends the email about a new password in the member's language, without names", async () => {
  const service = await serviceForTest(smtp);
  for (const language of languages) {
    const name = `notified-${language}`;
    await service.member(name, { at: null, password: "quiet-evenings-7" });
    const login = { user_id: name, password: "quiet-evenings-7" };
    const { access } = await service.call(logIn, login, language);
    const member = createClient(service.url, access);

    await member.call(changePassword, {
      password: "quiet-evenings-7",
      newPassword: "louder-mornings-8",
      newPasswordConfirmation: "louder-mornings-8",
    });
    const sentEmail = await mailbox.waitForEmail(`${name}@example.com`);

    expect(sentEmail.text).toContain(allTranslations[language].emails.passwordChanged);
    expect(sentEmail.text).toContain("hello@alcove.example");
    expect(sentEmail.subject + sentEmail.text + sentEmail.html).not.toMatch(
      /match|marri|dating|結婚|既婚|已婚|交友|婚|notified-/i,
    );
    expect(sentEmail.code).toBeNull();
  }
});

test("gives up when the mail server permanently rejects an address", async () => {
  const service = await serviceForTest(smtp);
  mailbox.rejectNext(550);

  await service.call(requestSignUpCode, { email: "rejected@example.com", ...agreed });

  await eventually(async () => {
    const metrics = await (await service.fetch("/metrics")).text();
    expect(metrics).toContain('alcove_emails_total{outcome="failed"} 1');
  });
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  expect(mailbox.emails("rejected@example.com")).toEqual([]);
});

test("accepts only the later code when two emails go to one address", async () => {
  const service = await serviceForTest(smtp);
  const email = "twice@example.com";

  const first = await requestSignUpCodeFor(service, mailbox, email);
  service.clock.advance(1_000);
  const second = await requestSignUpCodeFor(service, mailbox, email, 2);

  expect(await service.call(checkSignUpCode, { email, code: second })).toBe(true);
  if (first !== second) expect(await service.call(checkSignUpCode, { email, code: first })).toBe(false);
});

test("writes whole files to the outbox when there is no mail server", async () => {
  const service = await serviceForTest();

  await service.call(requestSignUpCode, { email: "outbox@example.com", ...agreed });

  const outbox = join(service.dataDir, "outbox");
  const [file = ""] = await eventually(async () => {
    const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
    expect(files).toHaveLength(1);
    return files;
  });
  expect(await readFile(join(outbox, file), "utf8")).toMatch(/^To: outbox@example\.com\r?$/m);
});

test("deletes emails of the outbox after a day", async () => {
  const service = await serviceForTest();
  const outbox = join(service.dataDir, "outbox");
  await service.call(requestSignUpCode, { email: "outbox@example.com", ...agreed });
  await eventually(async () => expect(await readdir(outbox)).toEqual([expect.stringMatching(/\.eml$/)]));
  const later = new Date(Date.now() + 2 * HOUR_MS);
  await writeFile(join(outbox, "later.eml"), "To: outbox@example.com");
  await utimes(join(outbox, "later.eml"), later, later);

  service.clock.advance(DAY_MS + HOUR_MS);
  await service.ctx.jobs.add(service.db, "sweep_outbox", {});

  await eventually(async () => expect(await readdir(outbox)).toEqual(["later.eml"]));
});

test("stores no address and no code in any row or waiting job", async () => {
  const service = await serviceForTest(smtp);
  const email = "nowhere@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  await eventually(async () => expect(await storedEmailJobs(service)).toEqual([]));
  await service.ctx.jobs.stop();
  await service.call(requestSignUpCode, { email, ...agreed });

  const [round] = await service.db.selectFrom("codes").selectAll().execute();
  const [job, ...more] = await storedEmailJobs(service);

  expect(more).toEqual([]);
  expect(job).toContain("emailId");
  expect(job).not.toContain("nowhere");
  for (const stored of [round!.email_digest, round!.code_digest, ...Object.values(round!).map(String)]) {
    expect(stored.includes(code) || stored.includes("nowhere")).toBe(false);
  }
});
