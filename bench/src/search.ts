import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions } from "@alcove/contract/discovery";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { Report } from "./results.ts";
import { quantile, spread } from "./stats.ts";
import { createKeys, seededRandom, generateMembers, keyVariables } from "./population.ts";
import { startRecorder } from "./recorder.ts";
import { databaseIn, seedMembers } from "./seed.ts";
import { buffersOf, partsOf, replay, shortNameOf } from "./statements.ts";
import { type KindName, KINDS, createViewers, renewSessions, type Viewer } from "./viewers.ts";
import { countAdmitted, readTen } from "./baselines.ts";

/**
 * Compares `get-options` and its statements with ten profiles by key. Run: `npm run search -w bench -- --members 1000000`.
 * `--database` uses an empty external database, `--save` keeps the results.
 */
const { values: options } = parseArgs({
  options: {
    members: { type: "string", default: "100000" },
    viewers: { type: "string", default: "43" },
    rounds: { type: "string", default: "3" },
    database: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const MEMBERS = Number(options.members);
const VIEWERS = Number(options.viewers);
const ROUNDS = Number(options.rounds);
const FIRST_MEMBER_NO = 1_000_000;
const DECK_SIZE = 60;
const IN_FLIGHT = 8;
const SECONDS = 8;
const HARD_KINDS: readonly KindName[] = ["heavy", "swiped"];

class Times {
  readonly #all = new Map<string, number[]>();

  record(name: string, value: number): void {
    const values = this.#all.get(name);
    if (values) values.push(value);
    else this.#all.set(name, [value]);
  }

  recordKind(kind: KindName, name: string, value: number): void {
    this.record(`${name}: ${kind}`, value);
    this.record(`${name}: all kinds`, value);
    if (!HARD_KINDS.includes(kind)) this.record(`${name}: the five ordinary kinds`, value);
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
const TEN_BY_KEY = "10 profiles by key, the statement alone";
const OWN_PROFILE = "own profile over HTTP (the least call of a member)";

async function timed<T>(act: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await act();
  return [performance.now() - start, result];
}

function logProgress(text: string): void {
  process.stderr.write(
    `${new Date().toISOString().slice(11, 19)} load ${loadavg()[0]!.toFixed(1)} ${text}\n`,
  );
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const key = createKeys();
  const mailbox = await startMailbox();
  const variables = {
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    ...keyVariables(key),
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  };
  const server = await startServer({
    ...variables,
    ...(options.database && { DATABASE_URL: options.database }),
  });
  const database = options.database ?? databaseIn(dataDir);
  const recorder = await startRecorder(database);
  const recorded = await startServer({ ...variables, DATABASE_URL: recorder.url });
  const db = new pg.Client({ connectionString: database });
  await db.connect();
  try {
    const random = seededRandom(1);
    logProgress(`seeding ${MEMBERS} members`);
    await seedMembers(db, key, generateMembers(MEMBERS, FIRST_MEMBER_NO, random));
    logProgress("making viewers");
    const viewers = await createViewers(
      server.url,
      { mailbox, db, pepper: key.pepper, random },
      { ofEachKind: VIEWERS, passedAtMost: MEMBERS / 50 },
    );
    await measureOverHttp(db, server.url, viewers, random);
    const checked = await measureStatements(db, recorded.url, recorder, viewers, random);
    logProgress("rates");
    const rates = await measureRates(database, server.url, viewers);
    const outputs = [server.output(), recorded.output()];
    const timedOut = sum(outputs.map((output) => output.split("search timed out").length - 1));
    await report(db, checked, rates, timedOut);
  } finally {
    await db.end();
    await recorded.stop();
    await recorder.close();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureOverHttp(db: pg.Client, url: string, viewers: readonly Viewer[], random: () => number) {
  for (let round = -1; round < ROUNDS; round++) {
    logProgress(`over HTTP, round ${round}`);
    await renewSessions(viewers, url);
    for (const viewer of viewers) {
      const client = createClient(url, viewer.access);
      await db.query("delete from decks where viewer = $1", [viewer.memberId]);
      const [searchMs] = await timed(() => client.call(getOptions, {}));
      const [deckMs, { options }] = await timed(() => client.call(getOptions, {}));
      const [ownMs] = await timed(() => client.call(getOwnUser, {}));
      const [tenMs] = await timed(() => readTen(db, someMembers(random)));
      if (round < 0) continue; // warm-up
      times.recordKind(viewer.kind, "fetch with a search over HTTP", searchMs);
      if (options.length === 10) times.record("fetch from the deck over HTTP", deckMs);
      times.record(OWN_PROFILE, ownMs);
      times.record(TEN_BY_KEY, tenMs);
    }
  }
}

function someMembers(random: () => number): number[] {
  return Array.from({ length: 10 }, () => FIRST_MEMBER_NO + Math.floor(random() * MEMBERS));
}

interface DeckCheck {
  mismatches: number;
  /** Viewers with fewer candidates than a deck holds. */
  short: number;
  viewers: number;
}

/** Records the statements of each fetch, replays them one by one, and checks the deck. */
async function measureStatements(
  db: pg.Client,
  url: string,
  recorder: { take(): Parameters<typeof partsOf>[0] },
  viewers: readonly Viewer[],
  random: () => number,
): Promise<DeckCheck> {
  const checked: DeckCheck = { mismatches: 0, short: 0, viewers: viewers.length };
  logProgress("the statements alone");
  for (const viewer of viewers) {
    // The previous measurement took longer than a token lives.
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
    const { all, certain, ofDeck } = await countAdmitted(db, viewer, deck);
    const isComplete = deck.length >= Math.min(DECK_SIZE, certain) && deck.length <= DECK_SIZE;
    if (!isComplete || ofDeck !== deck.length) {
      checked.mismatches++;
      logProgress(
        `${viewer.kind} ${viewer.memberId}: ${deck.length} in the deck, ${ofDeck} of them right, ${certain} to ${all} in all`,
      );
    }
    if (all < DECK_SIZE) checked.short++;

    for (let round = -1; round < ROUNDS; round++) {
      const each = await replay(db, fetched.all);
      const searchStart = fetched.all.indexOf(fetched.search[0]!);
      const search = each.slice(searchStart, searchStart + fetched.search.length);
      const serveMs = sum(await replay(db, served.serve));
      const [tenMs] = await timed(() => readTen(db, someMembers(random)));
      if (round < 0) continue;
      times.recordKind(viewer.kind, "search, its statements alone", sum(search));
      times.recordKind(viewer.kind, "whole fetch, its statements alone", sum(each));
      times.record("longest statement of a search", Math.max(...search));
      if (options.length === 10) times.record("serving from a deck, its statements alone", serveMs);
      times.record(TEN_BY_KEY, tenMs);
      if (viewer.kind !== "dense") continue;
      for (const [i, sent] of fetched.all.entries()) {
        byStatement.names.add(shortNameOf(sent));
        byStatement.times.record(shortNameOf(sent), each[i]!);
      }
    }
    buffers.recordKind(viewer.kind, "search", await buffersOf(db, fetched.search));
    if (options.length === 10) buffers.record("serve", await buffersOf(db, served.serve));
    if (viewer.kind === "dense") {
      for (const sent of fetched.all)
        byStatement.buffers.record(shortNameOf(sent), await buffersOf(db, [sent]));
    }
  }
  return checked;
}

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

async function measureRates(database: string, url: string, viewers: readonly Viewer[]) {
  const pool = new pg.Pool({ connectionString: database, max: IN_FLIGHT });
  await renewSessions(viewers, url);
  const ordinary = viewers.filter(({ kind }) => !HARD_KINDS.includes(kind) && kind !== "narrow");
  const viewerAt = (i: number) => ordinary[i % ordinary.length]!;
  const fetch = (i: number) => createClient(url, viewerAt(i).access).call(getOptions, {});
  const searches = await perSecond(async (i) => {
    await pool.query("delete from decks where viewer = $1", [viewerAt(i).memberId]);
    await fetch(i);
  });
  const decks = await perSecond(fetch);
  const own = await perSecond((i) => createClient(url, viewerAt(i).access).call(getOwnUser, {}));
  await pool.end();
  return [
    ["fetches with a search", searches.toFixed(0)],
    ["fetches from decks", decks.toFixed(0)],
    ["own profiles", own.toFixed(0)],
  ];
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const ratio = (value: number) => value.toFixed(1);

async function report(
  db: pg.Client,
  checked: DeckCheck,
  rates: readonly string[][],
  timedOut: number,
): Promise<void> {
  const floor = quantile(times.get(TEN_BY_KEY), 0.5);
  const line = ([name, ms]: [string, readonly number[]]) =>
    [name, String(ms.length)].concat(
      spread(ms),
      [0.5, 0.95].map((share) => ratio(quantile(ms, share) / floor)),
    );
  const single = [
    "serving from a deck, its statements alone",
    "fetch from the deck over HTTP",
    OWN_PROFILE,
    TEN_BY_KEY,
    "longest statement of a search",
  ].map((name) => [name, times.get(name)] as [string, readonly number[]]);
  const groups = [
    "search, its statements alone",
    "whole fetch, its statements alone",
    "fetch with a search over HTTP",
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

  const results = new Report("search", options.save);
  results.table(
    "times",
    ["what", "times", "p50 ms", "p95", "p99", "p50 : 10 by key", "p95 : 10 by key"],
    rows,
  );
  results.table("shared buffers", ["of", "p50", "p95", "most"], touched);
  results.table("a dense viewer's fetch", ["statement", "p50 ms", "buffers"], statements);
  results.table(
    "sizes",
    ["relation", "size"],
    sizes.map(({ name, size }) => [name, size]),
  );
  results.table("8 in flight", ["what", "a second"], rates);
  results.table(
    "decks",
    ["viewers", "differ from the rules", "fewer than 60 to find", "searches timed out"],
    [[checked.viewers, checked.mismatches, checked.short, timedOut].map(String)],
  );
  results.end(`${MEMBERS} members, ${ROUNDS} rounds, PostgreSQL ${version[0]!.server_version}`);
}

await main();
process.exit();
