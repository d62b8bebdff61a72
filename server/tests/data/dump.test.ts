import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cellToLatLng, greatCircleDistance, latLngToCell, UNITS } from "h3-js";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteAccount, getOwnUser, getWsTicket, logIn, requestSignUpCode } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, saveLocation } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm } from "@alcove/contract/messaging";
import { saveFilter } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { createClient, signUp, type SignedUpMember } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { DAY_MS, monthOf } from "../../src/platform/clock.ts";
import { eventually, openSocket } from "../../src/testing/test-service.ts";
import {
  dumpTables,
  encodingsOf,
  numberEncodings,
  placesWith,
  readFiles,
  type Place,
} from "../../src/testing/data-traces.ts";

/** Member texts that must not be found in clear. */
const secrets = {
  "an e-mail address": "hanako.quartzlamp@letterbox-quill.example",
  "the address of somebody who only asked for a code": "waiting.thimble@letterbox-quill.example",
  "a username": "花子 Vellichor 🦊",
  "the other username": "Tarō Petrichor",
  "a self-introduction": "Wednesdays I fold paper herons beside the aquarium.",
  "a date of birth": "1961-11-23",
  "a purpose": "somebody to hear out my marzipan theories",
  "a hobby": "cataloguing lighthouses by foghorn",
  "a link": "https://social.example/velvet-umbrella-1983",
  "a message": "The brass key is under the third fern. 鍵は三番目のシダの下",
  "an answer": "Then I bring the marmalade at half past six.",
  "a message beside an image": "This is the harbour from my kitchen window.",
  "what the camera wrote into a picture": "Camera of Q. Ravenscroft, serial 55519027",
  "a password": "seventeen violet walruses",
};
const HANAKO = "Hanako-Vellum_71";
const TARO = "TaroKettledrum-42";
const TOKYO_TOWER = { longitude: 139.7454329, latitude: 35.6585805 };
const SALARY = 987_654_321;
/** A recognisable number. */
const FIRST_NUMBER = 7_310_000_001;

const mailbox = await startMailbox();
let dataDir: string;
let server: ServerProcess;
let log: string;
let hanako: SignedUpMember;
let taro: SignedUpMember;
const words: string[] = [];

/** A picture with camera metadata. */
async function photo(hue: string): Promise<File> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640"><rect width="640" height="640" fill="${hue}"/>
    <circle cx="320" cy="250" r="120" fill="#fc9"/><rect x="180" y="380" width="280" height="260" fill="#345"/></svg>`;
  const IFD0 = { Artist: secrets["what the camera wrote into a picture"] };
  const bytes = await sharp(Buffer.from(svg)).withExif({ IFD0 }).jpeg().toBuffer();
  return new File([new Uint8Array(bytes)], "IMG_2041 Ravenscroft.jpg", { type: "image/jpeg" });
}

let files: Promise<Place[]> | undefined;

/** All database files: tables with old row versions, indexes and write-ahead log. */
function databaseFiles(): Promise<Place[]> {
  return (files ??= readFiles(join(dataDir, "postgres")));
}

/** Matches whole words only. */
function contains(word: string, text: string): boolean {
  return text.split(word).some((after, index, parts) => {
    const before = parts[index - 1];
    return before !== undefined && !/[\w.-]$/.test(before) && !/^[\w-]/.test(after);
  });
}

async function databaseUrl(): Promise<string> {
  const folder = join(dataDir, "postgres");
  const password = await readFile(join(folder, "password"), "utf8");
  const port = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n")[3];
  return `postgres://alcove:${password}@127.0.0.1:${port}/alcove`;
}

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function userIdForms(userId: string): Buffer[] {
  return [userId, userId.toLowerCase(), userId.toUpperCase()].flatMap(encodingsOf);
}

async function dump(): Promise<Place[]> {
  return [...(await dumpTables(await databaseUrl())), ...(await readFiles(join(dataDir, "media")))];
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "alcove-dump-"));
  const variables = { DATA_DIR: dataDir, BOT_CHECK: "off", SMTP_URL: mailbox.url, LOG_LEVEL: "trace" };
  server = await startServer(variables);
  await query(`alter sequence member_numbers restart with ${FIRST_NUMBER}`);
  await liveThroughEverything();
  // A clean shutdown writes every page.
  await server.stop();
  log = server.output();
  server = await startServer(variables);
  [hanako, taro] = [hanako, taro].map(cameBack) as [SignedUpMember, SignedUpMember];
});

afterAll(async () => {
  await server.stop();
  await mailbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

function cameBack(member: SignedUpMember): SignedUpMember {
  return { ...member, ...createClient(server.url, member.access), access: member.access };
}

/** Two members sign up, match and chat; the code email of a third cannot be sent. */
async function liveThroughEverything(): Promise<void> {
  hanako = await signUp(
    server.url,
    mailbox,
    signUpForm(HANAKO, {
      email: secrets["an e-mail address"],
      password: secrets["a password"],
      username: secrets["a username"],
      description: secrets["a self-introduction"],
      date_of_birth: secrets["a date of birth"],
      purpose: secrets["a purpose"],
      hobby: secrets["a hobby"],
      instagram: secrets["a link"],
      salary: SALARY,
      icon: await photo("#c33"),
      icon_process: false,
    }),
  );
  const profile = { username: secrets["the other username"], icon: await photo("#3a6"), icon_process: true };
  taro = await signUp(server.url, mailbox, signUpForm(TARO, { sex: "male", ...profile }));
  words.push(hanako.code, taro.code);

  const { longitude, latitude } = TOKYO_TOWER;
  for (const member of [hanako, taro]) {
    await member.call(saveLocation, { location: `${longitude},${latitude}` });
    await member.call(saveFilter, { search_max_age: 90 });
    await member.call(getOptions, {});
  }
  const { ticket } = await hanako.call(getWsTicket, {});
  const events = await openSocket(`${server.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  const chat = await openSocket(`${server.url.replace("http", "ws")}/ws/dm/${HANAKO}?token=${taro.access}`);
  await hanako.call(likeUser, { likedId: TARO });
  await taro.call(likeUser, { likedId: HANAKO });
  await taro.call(getUser, { userId: HANAKO });
  await hanako.call(sendDm, { receiverId: TARO, description: secrets["a message"] });
  await taro.call(sendDm, { receiverId: HANAKO, description: secrets["an answer"] });
  const image = { description: secrets["a message beside an image"], file: await photo("#36c") };
  await taro.call(sendDm, { receiverId: HANAKO, ...image });
  await eventually(() => expect(events.frames.length).toBeGreaterThanOrEqual(4));
  await Promise.all([hanako.call(getLastDms, {}), taro.call(getLastDms, {})]);
  await createClient(server.url)
    .call(logIn, { user_id: HANAKO, password: "not the right one, but typed" })
    .catch(() => undefined);
  const wrong = await openSocket(`${server.url.replace("http", "ws")}/healthz?token=${hanako.access}`);
  await eventually(() => expect(wrong.closed).not.toBeNull());
  chat.ws.close();
  events.ws.close();

  mailbox.rejectNext(451, 1_000);
  const email = secrets["the address of somebody who only asked for a code"];
  await createClient(server.url).call(requestSignUpCode, {
    email,
    agree_privacy_policy: "yes",
    agree_tos: "yes",
  });
  await eventually(async () => {
    const jobs = (await dumpTables(await databaseUrl())).filter(({ name }) => name.includes("_private_jobs"));
    expect(jobs.some(({ text }) => text.includes("could not be sent"))).toBe(true);
  });
  words.push(hanako.access, hanako.refresh, taro.access, taro.refresh, ticket);
}

test("shows each member the texts that the search looks for", async () => {
  const { user } = await hanako.call(getOwnUser, {});
  const { dms } = await hanako.call(getDms, { friendId: TARO });
  const picture = await hanako.fetch(dms[2]!.file!);

  expect(user).toMatchObject({ email: secrets["an e-mail address"], salary: SALARY });
  expect(dms.map(({ description }) => description)).toEqual([
    secrets["a message"],
    secrets["an answer"],
    secrets["a message beside an image"],
  ]);
  const metadata = await sharp(await picture.arrayBuffer()).metadata();
  expect(metadata.format).toBe("jpeg");
  expect(metadata).not.toHaveProperty("exif");
});

test("finds texts that are stored in clear, in tables and database files", async () => {
  const tables = await dumpTables(await databaseUrl());

  expect(placesWith(encodingsOf("active"), tables)).toContain("public.members");
  expect(placesWith([Buffer.from("female")], await databaseFiles())).not.toEqual([]);
  expect(numbersOf(tables)).toContain(monthOf(secrets["a date of birth"]));
});

test("finds a text in every encoding", () => {
  const text = "花子 +fox@quill/ß";
  const wide = Buffer.from(text, "utf16le");
  const written = [
    Buffer.from(`…${text}…`),
    wide,
    Buffer.from(wide).swap16(),
    Buffer.from(Buffer.from(text).toString("hex")),
    ...["", "a", "ab"].map((before) =>
      Buffer.from(Buffer.from(`${before}${text}, and more`).toString("base64")),
    ),
    Buffer.from(Buffer.from(`a${text}b`).toString("base64url")),
    Buffer.from(encodeURIComponent(text)),
    Buffer.from(JSON.stringify({ text })),
    Buffer.from('"\\u82b1\\u5b50 +fox@quill/\\u00df"'),
  ];

  for (const run of written)
    expect(placesWith(encodingsOf(text), [{ name: "here", text: "", bytes: [run] }])).toEqual(["here"]);
  const other = { name: "here", text: "", bytes: [Buffer.from("花子 +fox@quill/ss")] };
  expect(placesWith(encodingsOf(text), [other])).toEqual([]);
});

test.each(Object.entries(secrets))("stores no %s in tables and media files", async (_, secret) => {
  expect(placesWith(encodingsOf(secret), await dump())).toEqual([]);
});

test.each(Object.entries(secrets))(
  "stores no %s in database files, including old row versions and logs",
  { tags: "long" },
  async (_, secret) => {
    expect(placesWith(encodingsOf(secret), await databaseFiles())).toEqual([]);
  },
);

test.each([HANAKO, TARO])("stores the user id %s nowhere in clear, in any case", async (userId) => {
  const forms = userIdForms(userId);

  expect(placesWith(forms, await dump())).toEqual([]);
  expect(placesWith(forms, await databaseFiles())).toEqual([]);
  expect(placesWith(forms, [{ name: "log", text: log, bytes: [Buffer.from(log)] }])).toEqual([]);
});

test("stores no code, token or ticket in clear", async () => {
  const places = await dump();

  for (const word of words) {
    const found = places.filter(({ text }) => contains(word, text));
    expect(found.map(({ name }) => name)).toEqual([]);
  }
});

test("stores no salary in clear", async () => {
  const places = await dumpTables(await databaseUrl());

  expect(places.filter(({ text }) => contains(String(SALARY), text))).toEqual([]);
});

test("stores no date of birth as a number", async () => {
  const born = new Date(secrets["a date of birth"]);
  const [year, month, day] = secrets["a date of birth"].split("-").map(Number) as [number, number, number];
  const days = born.getTime() / DAY_MS;
  const forms = {
    "days since 1970": days,
    "days since 2000": days - Date.UTC(2000) / DAY_MS,
    "days since the year 0": days - Date.UTC(0) / DAY_MS,
    "Julian day": days + 2_440_588,
    seconds: days * 86_400,
    milliseconds: born.getTime(),
    "digits of the year first": (year * 100 + month) * 100 + day,
    "digits of the day first": (day * 100 + month) * 10_000 + year,
  };
  const numbers = numbersOf(await dumpTables(await databaseUrl()));

  expect(Object.entries(forms).filter(([, number]) => numbers.has(number))).toEqual([]);
});

/** All whole numbers in rows. */
function numbersOf(places: readonly Place[]): Set<number> {
  return new Set(places.flatMap(({ text }) => [...text.matchAll(/(?<![\w.])-?\d+(?![\w.])/g)].map(Number)));
}

test("stores no readable picture", async () => {
  const places = await dump();
  const files = places.filter(({ name }) => name.startsWith(dataDir));
  const opened: string[] = [];

  for (const { name, bytes } of places) {
    for (const run of bytes.filter(({ length }) => length > 200)) {
      const isPicture = await sharp(run)
        .metadata()
        .then(
          () => true,
          () => false,
        );
      if (isPicture) opened.push(name);
    }
  }
  expect(files.length).toBe(3);
  expect(opened).toEqual([]);
  // Marks of four characters also occur by chance in encrypted text of base64.
  const marks = ["\u0089PNG", "JFIF\0", "Exif\0", "WEBPVP8", "GIF89a", "ftypavif", "ftypheic", "<svg"].map(
    (mark) => Buffer.from(mark, "latin1"),
  );
  expect(placesWith(marks, places)).toEqual([]);
});

test("stores a place near the cell's centre instead of the position", async () => {
  const { longitude, latitude } = TOKYO_TOWER;
  const places = await dump();
  const [lat, lng] = cellToLatLng(latLngToCell(latitude, longitude, 7));
  const written = [longitude, latitude].flatMap((number) => encodingsOf(number.toFixed(4).slice(0, -1)));

  expect(
    placesWith([...written, ...numberEncodings(longitude), ...numberEncodings(latitude)], places),
  ).toEqual([]);
  expect(placesWith(numberEncodings(longitude), await databaseFiles())).toEqual([]);
  expect(greatCircleDistance([lat, lng], [latitude, longitude], UNITS.m)).toBeGreaterThan(100);
  const { user } = await hanako.call(getOwnUser, {});
  expect(greatCircleDistance([lat, lng], [user.location![1], user.location![0]], UNITS.m)).toBeLessThan(1);
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ x: number; y: number; z: number }>("select x, y, z from searchables");
  await client.end();
  for (const { x, y, z } of rows) {
    const found: [number, number] = [Math.asin(z) * (180 / Math.PI), Math.atan2(y, x) * (180 / Math.PI)];
    expect(greatCircleDistance([lat, lng], found, UNITS.m)).toBeLessThan(3_000);
  }
  expect(rows.length).toBe(2);
});

test("logs none of it at the most verbose level", async () => {
  const output = [{ name: "log", text: log, bytes: [Buffer.from(log)] }];
  const numbers = [TOKYO_TOWER.longitude, TOKYO_TOWER.latitude].map((number) => number.toFixed(3));

  for (const [what, secret] of Object.entries(secrets)) {
    expect([what, ...placesWith(encodingsOf(secret), output)]).toEqual([what]);
  }
  const leaked = [...words, ...numbers, "Ravenscroft", "not the right one"].filter((word) =>
    contains(word, log),
  );
  expect(leaked).toEqual([]);
});

/** A match of the deleted member can report the conversation for a while. */
const REPORTABLE = [
  "ended_matches",
  "hidden_conversations",
  "hidden_messages",
  "left_accounts",
  "media_files",
].map((name) => `public.${name}`);

test("stores no number, user id or file of a member after the deletion, except in reportable messages", async () => {
  await taro.call(blockUser, { userId: HANAKO });
  await taro.call(deleteAccount, {});

  const number = new RegExp(`(?<!\\d)${FIRST_NUMBER + 1}(?!\\d)`);
  await eventually(async () => {
    const rows = (await dumpTables(await databaseUrl())).filter(({ text }) => number.test(text));
    expect([...new Set(rows.map(({ name }) => name))].toSorted()).toEqual(REPORTABLE);
    expect(await readFiles(join(dataDir, "media"))).toHaveLength(3);
  });
  expect(placesWith(userIdForms(TARO), await dump())).toEqual([]);
  await server.stop();
  expect(placesWith(userIdForms(TARO), await readFiles(dataDir))).toEqual([]);
});
