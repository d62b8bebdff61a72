import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { checkSignUpCode, requestSignUpCode } from "@alcove/contract/accounts";
import { startMailbox } from "@alcove/sandbox/mail";
import { languages } from "@alcove/texts";
import { eventually, testService } from "../testing/service.ts";
import { agreed, codeFor } from "../testing/sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { settings: { smtpUrl: mailbox.url } };

test("a letter is written in the reader's language, as text and as HTML, and tells nobody what it is about", async () => {
  const service = await testService(smtp);

  for (const language of languages) {
    const to = `reader-${language}@example.com`;
    await service.ask(requestSignUpCode, { email: to, ...agreed }, language);
    const letter = await mailbox.waitForLetter(to);

    expect(letter.code).toMatch(/^\d{6}$/);
    expect(letter.html).toContain(letter.code);
    expect(letter.from).toEqual({ name: "Alcove", address: "no-reply@localhost" });
    expect(letter.subject).not.toMatch(/\d/);
    expect(letter.subject + letter.text + letter.html).not.toMatch(
      /match|marri|dating|結婚|既婚|已婚|交友|婚/i,
    );
  }
  const subjects = languages.map((language) => mailbox.letters(`reader-${language}@example.com`)[0]?.subject);
  expect(new Set(subjects).size).toBe(languages.length);
});

test("an address that has an account gets the same answer, and a letter that says so without a code", async () => {
  const service = await testService(smtp);
  await service.member("known", { at: null });

  const unknown = await service.ask(requestSignUpCode, { email: "unknown@example.com", ...agreed });
  const known = await service.ask(requestSignUpCode, { email: "KNOWN@example.com", ...agreed });

  expect(known).toEqual(unknown);
  const letter = await mailbox.waitForLetter("KNOWN@example.com");
  expect(letter.code).toBeNull();
  expect(letter.text).toContain("It already has an account.");
  expect(letter.subject).toBe((await mailbox.waitForLetter("unknown@example.com")).subject);
});

test("a known and an unknown address take the same statements and the same one job", async () => {
  const service = await testService({ settings: { ...smtp.settings, hasRateLimits: true } });
  await service.member("known", { at: null });
  await service.deps.jobs.stop();

  const known = await statementsOf(() =>
    service.ask(requestSignUpCode, { email: "known@example.com", ...agreed }),
  );
  const unknown = await statementsOf(() =>
    service.ask(requestSignUpCode, { email: "nobody@example.com", ...agreed }),
  );
  const guessKnown = await statementsOf(() =>
    service.ask(checkSignUpCode, { email: "known@example.com", code: "000000" }),
  );
  const guessUnknown = await statementsOf(() =>
    service.ask(checkSignUpCode, { email: "nobody@example.com", code: "000000" }),
  );

  expect(known.filter((statement) => statement.includes("graphile_worker.add_job"))).toHaveLength(1);
  expect(unknown).toEqual(known);
  expect(guessUnknown).toEqual(guessKnown);
});

test("a letter that is sent twice has one Message-ID and one code, so that it does not matter which copy is read", async () => {
  const service = await testService(smtp);
  const email = "copies@example.com";
  mailbox.loseNextAnswer();

  const code = await codeFor(service, mailbox, email);
  const copy = await mailbox.waitForLetter(email, 2);

  expect(copy.code).toBe(code);
  expect(copy.messageId).toBe(mailbox.letters(email)[0]?.messageId);
  expect(copy.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
  expect(await service.ask(checkSignUpCode, { email, code })).toBe(true);
});

test("a mail server that is busy gets the letter later", async () => {
  const service = await testService(smtp);
  mailbox.refuseNext(451);

  const code = await codeFor(service, mailbox, "patient@example.com");

  expect(await service.ask(checkSignUpCode, { email: "patient@example.com", code })).toBe(true);
});

test("a mail server that refuses an address for good is not asked again", async () => {
  const service = await testService(smtp);
  mailbox.refuseNext(550);

  await service.ask(requestSignUpCode, { email: "refused@example.com", ...agreed });

  await eventually(async () => {
    const metrics = await (await service.fetch("/metrics")).text();
    expect(metrics).toContain('alcove_letters_total{outcome="failed"} 1');
  });
  await eventually(async () => expect(await jobs(service.databaseUrl)).toEqual([]));
  expect(mailbox.letters("refused@example.com")).toEqual([]);
});

test("of two letters to one address the later one has the code that counts", async () => {
  const service = await testService(smtp);
  const email = "twice@example.com";

  const first = await codeFor(service, mailbox, email);
  service.clock.advance(1_000);
  const second = await codeFor(service, mailbox, email, 2);

  expect(await service.ask(checkSignUpCode, { email, code: second })).toBe(true);
  if (first !== second) expect(await service.ask(checkSignUpCode, { email, code: first })).toBe(false);
});

test("without a mail server letters are whole files in the outbox", async () => {
  const service = await testService();

  await service.ask(requestSignUpCode, { email: "outbox@example.com", ...agreed });

  const outbox = join(service.dataDir, "outbox");
  const [file = ""] = await eventually(async () => {
    const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
    expect(files).toHaveLength(1);
    return files;
  });
  expect(await readFile(join(outbox, file), "utf8")).toMatch(/^To: outbox@example\.com\r?$/m);
});

test("no stored row and no waiting job holds the address or the code", async () => {
  const service = await testService(smtp);
  const email = "nowhere@example.com";
  const code = await codeFor(service, mailbox, email);
  await service.deps.jobs.stop();
  await service.ask(requestSignUpCode, { email, ...agreed });

  const [round] = await service.db.selectFrom("codes").selectAll().execute();
  const [job, ...more] = await jobs(service.databaseUrl);

  expect(more).toEqual([]);
  expect(job).toContain("letterId");
  expect(job).not.toContain("nowhere");
  for (const stored of [round!.email_digest, round!.code_digest, ...Object.values(round!).map(String)]) {
    expect(stored.includes(code) || stored.includes("nowhere")).toBe(false);
  }
});

/** The statements that this process sends to the database while something happens. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    const statements = query.mock.calls.map(([statement]) => {
      return typeof statement === "string" ? statement : (statement as unknown as { text: string }).text;
    });
    // The workers of other tests' services look for jobs at their own times.
    return statements.filter((statement) => !statement.includes("_private_"));
  } finally {
    query.mockRestore();
  }
}

/** The jobs that wait, as stored. */
async function jobs(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select payload::text from graphile_worker._private_jobs order by id");
  await client.end();
  return (rows as { payload: string }[]).map(({ payload }) => payload);
}
