// @module-tag long
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { addNeverSee, blockUser, reportUser } from "@alcove/contract/safety";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { readEntries } from "../../src/operator/cli/backup/tar.ts";
import { DecryptionError, importKey, decrypt } from "../../src/platform/keys/cipher.ts";
import { KEYS_FILE } from "../../src/platform/keys/secret-files.ts";
import { dumpTables, encodingsOf, placesWith, readFiles, type Place } from "../../src/testing/data-traces.ts";
import { operator } from "../../src/testing/operator.ts";

/** `npm run test:long -- stolen-data` plays 200 members. */
const MEMBERS = Number(process.env["FUZZ_CASES"] ?? 8);
/** Members who sign up at the same time. */
const AT_ONCE = 8;
const decompress = promisify(gunzip);

/** Parts of every handle, name, address, text and name of a file: a thief must find none of them. */
const STEMS = {
  handle: "quillhern",
  username: "Vellichor",
  address: "quartzlamp",
  introduction: "paper herons",
  purpose: "marzipan theories",
  link: "velvet-umbrella",
  message: "third fern",
  "text of a report": "crocodile umbrella stand",
  "metadata of a picture": "Ravenscroft",
};
const padding = (n: number) => " ·".repeat(n % 97);
const handleOf = (n: number) => `quillhern${n}${"x".repeat(n % 7)}`;
const bornOf = (n: number) =>
  new Date(Date.UTC(1958 + (n % 40), n % 12, 1 + (n % 28))).toISOString().slice(0, 10);
// Never within hexadecimal digits, which hold any eight digits by chance.
const BIRTH_DATE =
  /(?<![\da-z])(?:19[4-9]\d|200[0-7])-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?![\da-z])/i;

const mailbox = await startMailbox();
const places = { dump: [] as Place[], files: [] as Place[], backup: [] as Place[] };
let lengths: readonly Length[] = [];
/** Old segments of the log with a deleted member's key, as the master keys before and after a rotation open it. */
const segmentsWithKey = { before: 0, after: 0 };
let dataDir: string;
let server: ServerProcess;

beforeAll(
  async () => {
    dataDir = await mkdtemp(join(tmpdir(), "alcove-stolen-"));
    server = await startServer({
      DATA_DIR: dataDir,
      BOT_CHECK: "off",
      RATE_LIMITS: "off",
      FACE_DETECTION: "off",
      FREE_CARDS_PER_DAY: "50",
      SMTP_URL: mailbox.url,
    });
    const members = await play();
    places.dump = await dumpTables(await databaseUrl());
    places.backup = await readBackup();
    lengths = await readLengths();
    await rotateAfterDeletion(members[0]!);
    // A clean shutdown writes every page.
    await server.stop();
    places.files = [
      ...(await readFiles(join(dataDir, "postgres"))),
      ...(await readFiles(join(dataDir, "media"))),
    ];
  },
  60_000 + MEMBERS * 2_000,
);

afterAll(async () => {
  await server.stop();
  await mailbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function databaseUrl(): Promise<string> {
  const folder = join(dataDir, "postgres");
  const password = await readFile(join(folder, "password"), "utf8");
  const port = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n")[3];
  return `postgres://alcove:${password}@127.0.0.1:${port}/alcove`;
}

/** Pairs match and chat with text and a picture; every fourth pair ends with a report and a block. */
async function play(): Promise<SignedUpMember[]> {
  const members: SignedUpMember[] = [];
  for (let first = 0; first < MEMBERS; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, MEMBERS - first) }, (_, i) => first + i);
    members.push(...(await Promise.all(numbers.map(signUpMember))));
  }
  for (let n = 0; n + 1 < MEMBERS; n += 2) await meet(n, members[n]!, members[n + 1]!);
  return members;
}

async function signUpMember(n: number): Promise<SignedUpMember> {
  const member = await signUp(
    server.url,
    mailbox,
    signUpForm(handleOf(n), {
      email: `post.${n}@quartzlamp${n % 13}.example`,
      username: `Vellichor ${n} 花子`.slice(0, 12 + (n % 8)),
      date_of_birth: bornOf(n),
      description: `I fold paper herons.${padding(n)}`,
      purpose: `somebody for my marzipan theories${padding(n + 31)}`,
      instagram: `https://social.example/velvet-umbrella-${n}`,
      icon: await photo(n),
      icon_process: n % 3 === 0,
      sex: n % 2 === 0 ? "female" : "male",
    }),
  );
  await member.call(saveLocation, { location: `${139 + (n % 9) / 10},${35 + (n % 7) / 10}` });
  return member;
}

async function meet(n: number, one: SignedUpMember, other: SignedUpMember): Promise<void> {
  await one.call(likeUser, { likedId: other.userId });
  await other.call(likeUser, { likedId: one.userId });
  const { dm } = await one.call(sendDm, {
    receiverId: other.userId,
    description: `The key is under the third fern.${padding(n)}`,
  });
  await other.call(sendDm, { receiverId: one.userId, file: await photo(n + 1) });
  await one.call(addNeverSee, { who: `spouse.${n}@quartzlamp.example` });
  if (n % 8 !== 0) return;
  const detail = `He hid a crocodile umbrella stand.${padding(n)}`;
  await other.call(reportUser, { userId: one.userId, reason: "other", detail, dmId: dm.id });
  await other.call(blockUser, { userId: one.userId });
}

async function photo(n: number): Promise<File> {
  const size = 120 + 40 * (n % 11);
  const noise = { type: "gaussian", mean: 128, sigma: 4 + (n % 60) } as const;
  const bytes = await sharp({ create: { width: size, height: size, channels: 3, background: "#888", noise } })
    .withExif({ IFD0: { Artist: "Q. Ravenscroft" } })
    .jpeg()
    .toBuffer();
  return new File([new Uint8Array(bytes)], "Ravenscroft.jpg", { type: "image/jpeg" });
}

async function readBackup(): Promise<Place[]> {
  const path = join(dataDir, "stolen.tar");
  const env = { DATABASE_URL: await databaseUrl(), DATA_DIR: dataDir };
  expect(await operator(env, "backup", "--to", path)).toMatchObject({ code: 0 });
  const entries: Place[] = [];
  async function* whole() {
    yield await readFile(path);
  }
  for await (const { name, bytes } of readEntries(whole())) {
    const plain = name.endsWith(".gz") ? await decompress(bytes) : bytes;
    entries.push({ name: `backup ${name}`, text: plain.toString("latin1"), bytes: [bytes, plain] });
  }
  return entries;
}

/** Deletes a member and replaces the master key, while the thief keeps the log from before. */
async function rotateAfterDeletion(member: SignedUpMember): Promise<void> {
  const log = await readFiles(join(dataDir, "postgres/data/pg_wal"));
  const countKeysOf = async (memberId: number) => {
    const file = await readFile(join(dataDir, "secrets", KEYS_FILE), "utf8");
    const masters = (JSON.parse(file) as { key: string }[]).map(({ key }) => Buffer.from(key, "base64"));
    return masters.reduce(
      (sum, master) => sum + log.filter(({ bytes }) => hasDataKey(bytes[0]!, memberId, master)).length,
      0,
    );
  };
  const numbers = await readMemberNumbers();
  await member.call(deleteAccount, {});
  const left = new Set(await readMemberNumbers());
  const deleted = numbers.find((memberId) => !left.has(memberId))!;

  segmentsWithKey.before = await countKeysOf(deleted);
  const env = { DATABASE_URL: await databaseUrl(), DATA_DIR: dataDir };
  expect(await operator(env, "keys", "rotate")).toMatchObject({ code: 0 });
  segmentsWithKey.after = await countKeysOf(deleted);
}

const WRAPPED_KEY_BYTES = 12 + 32 + 16;
/** A row of `data_keys`: the id, a short text of two characters and the length of the wrapped key. */
const WRAPPED_KEY_AT = 8 + 3 + 1;

/** Whether the master key opens the member's data key in a segment of the write-ahead log. */
function hasDataKey(segment: Buffer, memberId: number, master: Buffer): boolean {
  const id = Buffer.alloc(8);
  id.writeBigInt64LE(BigInt(memberId));
  const key = importKey(master);
  for (let at = segment.indexOf(id); at !== -1; at = segment.indexOf(id, at + 1)) {
    const wrapped = segment.subarray(at + WRAPPED_KEY_AT, at + WRAPPED_KEY_AT + WRAPPED_KEY_BYTES);
    try {
      decrypt(key, 0, wrapped, `data_keys.wrapped_key:${memberId}`);
      return true;
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
    }
  }
  return false;
}

async function readMemberNumbers(): Promise<number[]> {
  return query<{ member_no: string }>("select member_no from members").then((rows) =>
    rows.map(({ member_no }) => Number(member_no)),
  );
}

test("has something to steal", async () => {
  const rowsOf = (table: string) => places.dump.filter(({ name }) => name === `public.${table}`).length;
  expect(rowsOf("members")).toBe(MEMBERS);
  expect(rowsOf("messages")).toBeGreaterThan(0);
  expect(rowsOf("reports")).toBeGreaterThan(0);
  expect(places.backup.length).toBeGreaterThan(10);
});

test.each(Object.entries(STEMS))("shows a thief no %s", (_, stem) => {
  const forms = [stem, stem.toLowerCase(), stem.toUpperCase()].flatMap(encodingsOf);

  expect(placesWith(forms, [...places.dump, ...places.files, ...places.backup])).toEqual([]);
});

test("shows a thief no birth date", () => {
  const found = [...places.dump, ...places.backup].filter(({ text }) => BIRTH_DATE.test(text));

  expect(found.map(({ name, text }) => `${name} ${BIRTH_DATE.exec(text)?.[0]}`)).toEqual([]);
});

const OVERHEAD = 9 + 12 + 16;
const STEPS: Record<string, number> = { encrypted_user_id: 32, encrypted_hash: 32 };
const PICTURE_STEP = 16 * 1024;

test("pads every encrypted value, so that its length reveals nothing", () => {
  const files = places.files.filter(({ name }) => name.startsWith(join(dataDir, "media")));

  expect(lengths.length).toBeGreaterThan(5);
  expect(lengths.filter(({ column, length }) => (length - OVERHEAD) % (STEPS[column] ?? 256) !== 0)).toEqual(
    [],
  );
  expect(files.length).toBeGreaterThan(MEMBERS / 2);
  for (const { bytes } of files) expect((bytes[0]!.length - OVERHEAD) % PICTURE_STEP).toBe(0);
});

interface Length {
  readonly table: string;
  readonly column: string;
  readonly length: number;
}

async function readLengths(): Promise<Length[]> {
  const columns = await query<Omit<Length, "length">>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name like 'encrypted%'`,
  );
  const found = columns.map(async ({ table, column }) => {
    const rows = await query<{ length: number }>(
      `select distinct length(${column}) as length from ${table} where ${column} is not null`,
    );
    return rows.map(({ length }) => ({ table, column, length }));
  });
  return (await Promise.all(found)).flat();
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test("leaves a deleted member's key unreadable in an old log once the master key is replaced", () => {
  expect(segmentsWithKey.before).toBeGreaterThan(0);
  expect(segmentsWithKey.after).toBe(0);
});
