import { createPublicKey, verify } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { deleteAccount, getDeletionReceipt } from "@alcove/contract/accounts";
import { getStoredData } from "@alcove/contract/stored-data";
import { STORED_KINDS, RETENTION } from "@alcove/contract/retention";
import { startMailbox } from "@alcove/test-services/mail";
import { languages } from "@alcove/i18n";
import { environmentOf, operator } from "../../testing/operator.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestService } from "../../testing/test-service.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const options = { config: { smtpUrl: mailbox.url } };

interface List {
  public_key: string;
  keys: number[];
}

const listOf = async (service: TestService): Promise<List> =>
  (await (await service.fetch("/.well-known/deletions.json")).json()) as List;

/** As a stranger with public tools does. */
function verifies(line: string, { public_key }: List): boolean {
  const at = line.lastIndexOf(" ");
  const signature = Buffer.from(line.slice(at + 1), "base64");
  return verify(null, Buffer.from(line.slice(0, at)), createPublicKey(public_key), signature);
}

const numberIn = (line: string): number => Number(/\d{15}/.exec(line)![0]);
/** Without number and signature. */
const wordsOf = (line: string): string => line.replace(/ \S+$/, "").replace(/\d{15}/, "");

test("gives the holder of a token a signed receipt, worded alike for everybody, and nobody else", async () => {
  const service = await serviceForTest(options);
  service.clock.set("2027-03-04T12:00:00Z");
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { at: null });
  await expectError(service.call(getDeletionReceipt, { token: hanako.refresh }), "not_found");
  const before = await listOf(service);
  await hanako.call(deleteAccount, {});
  await taro.call(deleteAccount, {});

  const list = await listOf(service);
  for (const language of languages) {
    const { receipt } = await service.call(getDeletionReceipt, { token: hanako.refresh }, language);
    const other = await service.call(getDeletionReceipt, { token: taro.access }, language);

    expect(verifies(receipt, list)).toBe(true);
    expect(verifies(receipt.replace("2027-03-04", "2027-03-05"), list)).toBe(false);
    expect(wordsOf(receipt)).toBe(wordsOf(other.receipt));
    expect(receipt).toContain("2027-03-04");
    expect(receipt).toContain("2027-04-03");
    expect(receipt).not.toMatch(/hanako|alcove|\n/i);
    expect(list.keys).toContain(numberIn(receipt));
    expect(before.keys).not.toContain(numberIn(receipt));
    expect(numberIn(receipt)).not.toBe(hanako.memberId);
  }
  await expectError(service.call(getDeletionReceipt, { token: "not.a.token" }), "not_found");
});

test("verifies a receipt by command line, and rejects a changed one and one whose key is not listed", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(deleteAccount, {});
  const { receipt } = await service.call(getDeletionReceipt, { token: hanako.refresh });
  const file = join(service.dataDir, "record.txt");
  const env = environmentOf(service);
  const check = async (line: string) => {
    await writeFile(file, `${line}\n`);
    return operator(env, "receipt", "verify", file);
  };

  const right = await check(receipt);
  const changed = await check(receipt.replace(/\d{15}/, "123456789012345"));
  await service.db.deleteFrom("destroyed_keys").execute();
  const unlisted = await check(receipt);

  expect([right.code, changed.code, unlisted.code]).toEqual([0, 1, 1]);
  expect(right.out).toContain(String(numberIn(receipt)));
  expect(unlisted.problems).toContain("is not on the list");
});

test("sends the receipt only if asked to, to the typed address, twice at most", async () => {
  const service = await serviceForTest({ config: { ...options.config, hasRateLimits: true } });
  const hanako = await service.member("leaving-hanako", { at: null });
  await hanako.call(deleteAccount, {});
  const token = hanako.refresh;

  const { receipt } = await service.call(getDeletionReceipt, { token, email: "new-box@example.com" });
  const { text, subject } = await mailbox.waitForEmail("new-box@example.com");
  await service.call(getDeletionReceipt, { token, email: "other-box@example.com" });

  expect(text).toContain(receipt);
  expect(subject).toBe("Alcove: your account");
  expect(mailbox.emails("leaving-hanako@example.com")).toEqual([]);
  await expectError(
    service.call(getDeletionReceipt, { token, email: "third-box@example.com" }),
    "too_many_requests",
  );
});

test("lists each kind of data with the periods of the privacy policy, each once", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });

  const { kinds } = await hanako.call(getStoredData, {});

  expect(kinds.map(({ kind }) => kind)).toEqual(Object.keys(STORED_KINDS));
  const periods = kinds.flatMap((kind) => kind.periods);
  expect(Object.fromEntries(periods.map(({ name, amount }) => [name, amount]))).toEqual({
    ...RETENTION,
    unusedMonths: service.ctx.config.unusedMonths,
  });
  expect(periods).toHaveLength(Object.keys(RETENTION).length);
  expect(kinds.every(({ reasons }) => reasons.length > 0)).toBe(true);
  expect(kinds.find(({ kind }) => kind === "sessions")).toEqual({
    kind: "sessions",
    lasts: "period",
    reasons: ["contract"],
    periods: [
      { name: "sessionDays", amount: 90, unit: "days" },
      { name: "deviceDays", amount: 90, unit: "days" },
    ],
  });
});
