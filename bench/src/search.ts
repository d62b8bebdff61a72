import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions } from "@alcove/contract/discovery";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { quantile, spread, table } from "./stats.ts";
import { seededRandom, generateMembers } from "./population.ts";
import { startRecorder } from "./recorder.ts";
import { databaseIn, seedMembers } from "./seed.ts";
import { buffersOf, partsOf, replay, shortNameOf } from "./statements.ts";
import { type KindName, KINDS, makeViewers, renewSessions, type Viewer } from "./viewers.ts";
import { countAdmitted, prepareKnn, readBox, readKnn, readPlainly, readTen } from "./baselines.ts";

/**
 * Measures `get-options` through HTTP and its statements alone, beside ten profiles by key and other search designs. Run:
 * `npm run search -w bench -- --members 1000000`. Starts servers with their own database in a temporary folder;
 * `--database` uses an empty external one, where the extension `cube` adds a distance index.
 */
const { values: wish } = parseArgs({
  options: {
    members: { type: "string", default: "100000" },
    viewers: { type: "string", default: "43" },
    rounds: { type: "string", default: "3" },
    compared: { type: "string", default: "43" },
    database: { type: "string" },
  },
});
const MEMBERS = Number(wish.members);
const VIEWERS = Number(wish.viewers);
const ROUNDS = Number(wish.rounds);
/** Other designs take seconds per viewer. */
const COMPARED = Number(wish.compared);
const FIRST_MEMBER_NO = 1_000_000;
const DECK_SIZE = 60;
const IN_FLIGHT = 8;
const SECONDS = 8;
const HARD: readonly KindName[] = ["heavy", "swiped"];

class Times {
  readonly #all = new Map<string, number[]>();

  note(name: string, value: number): void {
    const values = this.#all.get(name);
    if (values) values.push(value);
    else this.#all.set(name, [value]);
  }

  /** By kind, by all kinds and by the ordinary ones. */
  noteOf(kind: KindName, name: string, value: number): void {
    this.note(`${name}: ${kind}`, value);
    this.note(`${name}: all kinds`, value);
    if (!HARD.includes(kind)) this.note(`${name}: the five ordinary kinds`, value);
  }

  get(name: string): readonly number[] {
    return this.#all.get(name) ?? [];
  }

  rowsOf(name: string): [string, readonly number[]][] {
    return ["all kinds", "the five ordinary kinds", ...Object.keys(KINDS)].flatMap((kind) => {
      const values = this.get(`${name}: ${kind}`);
      return values.length > 0 ? [[`${name}, ${kind}`, values] as [string, readonly number[]]] : [];
    });
  }
}

const times = new Times();
const buffers = new Times();
/** Milliseconds and buffers by statement, for an ordinary viewer in a city. */
const byStatement = { times: new Times(), buffers: new Times(), names: new Set<string>() };
const TEN = "10 profiles by key, the statement alone";
const LEAST = "own profile over HTTP (the least call of a member)";

async function timed<T>(act: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await act();
  return [performance.now() - start, result];
}

function say(text: string): void {
  process.stderr.write(
    `${new Date().toISOString().slice(11, 19)} load ${loadavg()[0]!.toFixed(1)} ${text}\n`,
  );
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const key = { id: "bench", bytes: randomBytes(32) };
  const mailbox = await startMailbox();
  const variables = {
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    SEALING_KEYS: `${key.id}:${key.bytes.toString("base64")}`,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  };
  const server = await startServer({ ...variables, ...(wish.database && { DATABASE_URL: wish.database }) });
  const database = wish.database ?? databaseIn(dataDir);
  const recorder = await startRecorder(database);
  const recorded = await startServer({ ...variables, DATABASE_URL: recorder.url });
  const db = new pg.Client({ connectionString: database });
  await db.connect();
  try {
    const random = seededRandom(1);
    say(`seeding ${MEMBERS} members`);
    await seedMembers(db, key, generateMembers(MEMBERS, FIRST_MEMBER_NO, random));
    say("making viewers");
    const viewers = await makeViewers(
      server.url,
      { mailbox, db, random },
      { ofEachKind: VIEWERS, judgedAtMost: MEMBERS / 50 },
    );
    await overHttp(db, server.url, viewers, random);
    const found = await statementsAlone(db, recorded.url, recorder, viewers, random);
    await inOtherShapes(db, viewers, random);
    say("many at once");
    const rates = await manyAtOnce(database, server.url, viewers);
    await report(db, found, rates);
    const cut =
      server.output().split("a search was ended").length +
      recorded.output().split("a search was ended").length -
      2;
    process.stdout.write(`\n${cut} searches were ended for the time they took.\n`);
  } finally {
    await db.end();
    await recorded.stop();
    await recorder.close();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Fetches without a deck, which search, and with one. */
async function overHttp(db: pg.Client, url: string, viewers: readonly Viewer[], random: () => number) {
  for (let round = -1; round < ROUNDS; round++) {
    say(`over HTTP, round ${round}`);
    await renewSessions(viewers, url);
    for (const viewer of viewers) {
      const client = createClient(url, viewer.access);
      await db.query("delete from decks where viewer = $1", [viewer.memberId]);
      const [searchMs] = await timed(() => client.call(getOptions, {}));
      const [deckMs, { options }] = await timed(() => client.call(getOptions, {}));
      const [ownMs] = await timed(() => client.call(getOwnUser, {}));
      const [tenMs] = await timed(() => readTen(db, someMembers(random)));
      if (round < 0) continue; // warm-up
      times.noteOf(viewer.kind, "fetch with a search over HTTP", searchMs);
      if (options.length === 10) times.note("fetch from the deck over HTTP", deckMs);
      times.note(LEAST, ownMs);
      times.note(TEN, tenMs);
    }
  }
}

function someMembers(random: () => number): number[] {
  return Array.from({ length: 10 }, () => FIRST_MEMBER_NO + Math.floor(random() * MEMBERS));
}

interface Found {
  mismatches: number;
  /** Viewers with fewer candidates than a deck holds. */
  short: number;
  viewers: number;
}

/** Records the statements of each fetch, replays them one by one, and checks that every candidate was found. */
async function statementsAlone(
  db: pg.Client,
  url: string,
  recorder: { take(): Parameters<typeof partsOf>[0] },
  viewers: readonly Viewer[],
  random: () => number,
): Promise<Found> {
  const found: Found = { mismatches: 0, short: 0, viewers: viewers.length };
  say("the statements alone");
  for (const viewer of viewers) {
    // The reading before took longer than a token's lifetime.
    await renewSessions([viewer], url);
    const client = createClient(url, viewer.access);
    await db.query("delete from decks where viewer = $1", [viewer.memberId]);
    recorder.take();
    await client.call(getOptions, {});
    const fetched = partsOf(recorder.take());
    const { options } = await client.call(getOptions, {});
    const served = partsOf(recorder.take());

    const { rows } = await db.query<{ ids: string[] }>("select ids from decks where viewer = $1", [
      viewer.memberId,
    ]);
    const deck = rows[0]!.ids.map(Number);
    const { all, ofDeck } = await countAdmitted(db, viewer, deck);
    if (deck.length !== Math.min(DECK_SIZE, all) || ofDeck !== deck.length) {
      found.mismatches++;
      say(
        `${viewer.kind} ${viewer.memberId}: ${deck.length} in the deck, ${ofDeck} of them right, ${all} in all`,
      );
    }
    if (all < DECK_SIZE) found.short++;

    for (let round = -1; round < ROUNDS; round++) {
      const each = await replay(db, fetched.all);
      const begun = fetched.all.indexOf(fetched.search[0]!);
      const search = each.slice(begun, begun + fetched.search.length);
      const serveMs = sum(await replay(db, served.serve));
      const [tenMs] = await timed(() => readTen(db, someMembers(random)));
      if (round < 0) continue;
      times.noteOf(viewer.kind, "search, its statements alone", sum(search));
      times.noteOf(viewer.kind, "whole fetch, its statements alone", sum(each));
      times.note("longest statement of a search", Math.max(...search));
      if (options.length === 10) times.note("serving from a deck, its statements alone", serveMs);
      times.note(TEN, tenMs);
      if (viewer.kind !== "dense") continue;
      for (const [i, sent] of fetched.all.entries()) {
        byStatement.names.add(shortNameOf(sent));
        byStatement.times.note(shortNameOf(sent), each[i]!);
      }
    }
    buffers.noteOf(viewer.kind, "search", await buffersOf(db, fetched.search));
    if (options.length === 10) buffers.note("serve", await buffersOf(db, served.serve));
    if (viewer.kind === "dense") {
      for (const sent of fetched.all)
        byStatement.buffers.note(shortNameOf(sent), await buffersOf(db, [sent]));
    }
  }
  return found;
}

async function inOtherShapes(db: pg.Client, viewers: readonly Viewer[], random: () => number): Promise<void> {
  const hasKnn = COMPARED > 0 && (await prepareKnn(db));
  const left = new Map(Object.keys(KINDS).map((kind) => [kind, COMPARED]));
  say(`other shapes${hasKnn ? ", GiST too" : ""}`);
  for (const viewer of viewers) {
    const more = left.get(viewer.kind)!;
    if (more === 0) continue;
    left.set(viewer.kind, more - 1);
    const shapes = {
      "all of the slim table": readPlainly,
      "a box on the profiles": readBox,
      ...(hasKnn && { "GiST, nearest first": readKnn }),
    };
    for (const [name, read] of Object.entries(shapes)) {
      const [ms] = await timed(() => read(db, viewer));
      times.noteOf(viewer.kind, name, ms);
    }
    const [tenMs] = await timed(() => readTen(db, someMembers(random)));
    times.note(TEN, tenMs);
  }
  if (hasKnn) await db.query("drop index bench_knn");
}

/** Returns calls per second with a number of calls in flight. */
async function perSecond(call: (i: number) => Promise<unknown>): Promise<number> {
  let done = 0;
  const start = performance.now();
  const caller = async (first: number) => {
    for (let i = first; performance.now() < start + SECONDS * 1_000; i += IN_FLIGHT) {
      await call(i);
      done++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, first) => caller(first)));
  return done / ((performance.now() - start) / 1_000);
}

async function manyAtOnce(database: string, url: string, viewers: readonly Viewer[]) {
  const pool = new pg.Pool({ connectionString: database, max: IN_FLIGHT });
  await renewSessions(viewers, url);
  const ordinary = viewers.filter(({ kind }) => !HARD.includes(kind) && kind !== "narrow");
  const viewerAt = (i: number) => ordinary[i % ordinary.length]!;
  const fetch = (i: number) => createClient(url, viewerAt(i).access).call(getOptions, {});
  const searches = await perSecond(async (i) => {
    await pool.query("delete from decks where viewer = $1", [viewerAt(i).memberId]);
    await fetch(i);
  });
  const decks = await perSecond(fetch);
  const own = await perSecond((i) => createClient(url, viewerAt(i).access).call(getOwnUser, {}));
  await pool.end();
  return { searches, decks, own };
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const ratio = (value: number) => value.toFixed(1);

async function report(
  db: pg.Client,
  found: Found,
  rates: Awaited<ReturnType<typeof manyAtOnce>>,
): Promise<void> {
  const floor = quantile(times.get(TEN), 0.5);
  const least = quantile(times.get(LEAST), 0.5);
  const line = ([name, ms]: [string, readonly number[]]) =>
    [name, String(ms.length)].concat(
      spread(ms),
      [0.5, 0.95].map((share) => ratio(quantile(ms, share) / floor)),
    );
  const single = [
    "serving from a deck, its statements alone",
    "fetch from the deck over HTTP",
    LEAST,
    TEN,
    "longest statement of a search",
  ].map((name) => [name, times.get(name)] as [string, readonly number[]]);
  const groups = [
    "search, its statements alone",
    "whole fetch, its statements alone",
    "fetch with a search over HTTP",
    "all of the slim table",
    "a box on the profiles",
    "GiST, nearest first",
  ].flatMap((name) => times.rowsOf(name));
  const rows = [...single, ...groups].filter(([, ms]) => ms.length > 0).map(line);

  const touched = [
    ...buffers.rowsOf("search"),
    ["serve", buffers.get("serve")] as [string, readonly number[]],
  ].map(([name, values]) => [name].concat([0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(0))));
  const statements = [...byStatement.names].map((name) => [
    name,
    quantile(byStatement.times.get(name), 0.5).toFixed(2),
    quantile(byStatement.buffers.get(name), 0.5).toFixed(0),
  ]);
  const { rows: sizes } = await db.query<{ name: string; size: string }>(
    `select relname as name, pg_size_pretty(pg_relation_size(oid)) as size from pg_class
     where relname like 'searchables%' or relname in ('profiles', 'verdicts', 'cell_counts') order by pg_relation_size(oid) desc`,
  );
  const { rows: version } = await db.query<{ server_version: string }>("show server_version");

  process.stdout.write(
    `${MEMBERS} members, ${found.viewers} viewers, ${ROUNDS} rounds, ${availableParallelism()} cores, Node ${process.version}, ` +
      `PostgreSQL ${version[0]!.server_version}, load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(" ")}\n\n` +
      `${table(["what", "times", "p50 ms", "p95", "p99", "p50 : 10 by key", "p95 : 10 by key"], rows)}\n\n` +
      `The least call : 10 by key is ${ratio(least / floor)}.\n\n` +
      `${table(["shared buffers", "p50", "p95", "most"], touched)}\n\n` +
      `${table(["statement of a dense viewer's fetch", "p50 ms", "buffers"], statements)}\n\n` +
      `${table(
        ["relation", "size"],
        sizes.map(({ name, size }) => [name, size]),
      )}\n\n` +
      `${found.mismatches} of ${found.viewers} decks held others or another number than the rules admit, read one by one ` +
      `(${found.short} viewers had fewer than ${DECK_SIZE} to find).\n` +
      `${IN_FLIGHT} in flight: ${rates.searches.toFixed(0)} fetches a second with a search, ${rates.decks.toFixed(0)} from decks, ` +
      `${rates.own.toFixed(0)} own profiles a second.\n`,
  );
}

await main();
process.exit();
