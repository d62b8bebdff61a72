import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, saveLocation } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { signUp, type SignedUp } from "@alcove/sandbox/client";
import { startMailbox } from "@alcove/sandbox/mail";
import { personOf } from "@alcove/sandbox/people";
import { startServer } from "@alcove/sandbox/server";
import { quantile, spread, table } from "./figures.ts";
import {
  chordSquaredOf,
  type City,
  CITIES,
  dice,
  inventMembers,
  type Place,
  placeNear,
  vectorOf,
} from "./population.ts";
import { databaseIn, seedMembers } from "./seed.ts";

/**
 * `get-options` through the whole server (HTTP, session, search or deck, unsealing) among many members, beside what it
 * costs to read ten profiles by their key and to make the least call of a member.
 *
 * Run: `npm run search -w bench -- --members 100000`. It starts a server with a database of its own, in a folder it removes.
 */
const { values: wish } = parseArgs({
  options: {
    members: { type: "string", default: "100000" },
    viewers: { type: "string", default: "6" },
    rounds: { type: "string", default: "8" },
  },
});
const MEMBERS = Number(wish.members);
const VIEWERS = Number(wish.viewers);
const ROUNDS = Number(wish.rounds);
const FIRST_NO = 1_000_000;
const IN_FLIGHT = 8;
const SECONDS = 8;

interface Filter {
  readonly minKm: number;
  readonly maxKm: number;
  readonly minAge: number;
  readonly maxAge: number;
}
const WIDE: Filter = { minKm: 0, maxKm: 500, minAge: 0, maxAge: 120 };

interface Kind {
  readonly city: City | null;
  readonly ringKm?: number;
  readonly filter: Filter;
  /** How many of the nearest the viewer has passed already. */
  readonly judged: number;
}

/** The kinds of viewers: two, `heavy` and `swiped`, are made to be hard. */
const KINDS: Record<string, Kind> = {
  dense: { city: "tokyo", filter: WIDE, judged: 20 },
  tight: { city: "tokyo", filter: { ...WIDE, maxKm: 10, minAge: 38, maxAge: 48 }, judged: 20 },
  medium: { city: null, filter: { ...WIDE, maxKm: 100, minAge: 30, maxAge: 55 }, judged: 20 },
  rural: { city: "sapporo", ringKm: 200, filter: WIDE, judged: 0 },
  narrow: { city: "tokyo", filter: { ...WIDE, minAge: 63, maxAge: 64 }, judged: 0 },
  heavy: { city: "tokyo", filter: WIDE, judged: Math.round(MEMBERS / 50) },
  swiped: { city: "tokyo", ringKm: 4, filter: { ...WIDE, maxKm: 4 }, judged: MEMBERS },
};

interface Viewer {
  readonly kind: string;
  readonly no: number;
  readonly place: Place;
  readonly filter: Filter;
  readonly client: SignedUp;
}

async function timed<T>(act: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await act();
  return [performance.now() - start, result];
}

async function makeViewers(url: string, db: pg.Client, roll: () => number): Promise<Viewer[]> {
  const mailbox = await startMailboxOnce();
  const others = Object.keys(CITIES).filter((city) => city !== "tokyo") as City[];
  const viewers: Viewer[] = [];
  for (const [kind, { city, ringKm, filter, judged }] of Object.entries(KINDS)) {
    for (let i = 0; i < VIEWERS; i++) {
      const person = personOf(`${kind}_${i}`, {
        sex: "male",
        date_of_birth: "1984-03-02",
        search_sex: "female",
      });
      const client = await signUp(url, mailbox, person);
      const place = placeNear(city ?? others[i % others.length]!, roll, ringKm);
      await client.ask(saveLocation, { location: `${place.longitude},${place.latitude}` });
      await client.ask(saveFilter, {
        search_min_range: filter.minKm,
        search_max_range: filter.maxKm,
        search_min_age: filter.minAge,
        search_max_age: filter.maxAge,
      });
      const found = await db.query<{ member_no: string }>(
        "select member_no from logins where folded_user_id = $1",
        [client.userId],
      );
      const no = Number(found.rows[0]!.member_no);
      await db.query("insert into memberships values ($1, now() + interval '1 year')", [no]);
      await judgeNearest(db, no, place, filter, judged);
      viewers.push({ kind, no, place, filter, client });
    }
  }
  await db.query("vacuum analyze verdicts");
  return viewers;
}

async function judgeNearest(db: pg.Client, no: number, place: Place, { maxKm }: Filter, judged: number) {
  const [x, y, z] = vectorOf(place);
  await db.query(
    `insert into verdicts
     select $1, member_no, false, now() from searchables
     where sex = 1 and member_no >= ${FIRST_NO} and (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 <= $5 * 1.1
     order by (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 limit $6`,
    [no, x, y, z, chordSquaredOf(maxKm), judged],
  );
}

/** How many the rules admit, by one plain statement over the whole table: the measure of completeness, and a yardstick. */
async function readPlainly(db: pg.Client, { no, place, filter }: Viewer): Promise<number> {
  const [x, y, z] = vectorOf(place).map(Math.fround);
  const { rows } = await db.query(
    `select member_no, (x - $2::float8) ^ 2 + (y - $3::float8) ^ 2 + (z - $4::float8) ^ 2 as apart from searchables s
     where sex = 1 and (want & 2) <> 0 and member_no <> $1
       and (x - $2::float8) ^ 2 + (y - $3::float8) ^ 2 + (z - $4::float8) ^ 2 between $5 and least($6, want_c2_max)
       and extract(year from age(current_date, dob)) between $7 and $8
       and extract(year from age(current_date, date '1984-03-02')) between want_amin and want_amax
       and not exists (select from verdicts v where v.actor = $1 and v.target = s.member_no)
     order by apart, active_day desc limit 60`,
    [no, x, y, z, chordSquaredOf(filter.minKm), chordSquaredOf(filter.maxKm), filter.minAge, filter.maxAge],
  );
  return rows.length;
}

async function readTen(db: pg.Client, roll: () => number): Promise<void> {
  const nos = Array.from({ length: 10 }, () => FIRST_NO + Math.floor(roll() * MEMBERS));
  await db.query(
    "select m.user_id, p.* from members m join profiles p using (member_no) where member_no = any($1::int8[])",
    [nos],
  );
}

let mailbox: ReturnType<typeof startMailbox> | null = null;
const startMailboxOnce = () => (mailbox ??= startMailbox());

/** Keeps so many calls in flight for a while and answers how many were done in a second. */
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

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const key = { id: "bench", bytes: randomBytes(32) };
  const server = await startServer({
    DATA_DIR: dataDir,
    SMTP_URL: (await startMailboxOnce()).url,
    MAIL_FROM: "hello@alcove.example",
    SEALING_KEYS: `${key.id}:${key.bytes.toString("base64")}`,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
  });
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  try {
    const roll = dice(1);
    await seedMembers(db, key, inventMembers(MEMBERS, FIRST_NO, roll));
    const viewers = await makeViewers(server.url, db, roll);
    await report(db, viewers, roll);
  } finally {
    await db.end();
    await server.end();
    await (await startMailboxOnce()).close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function report(db: pg.Client, viewers: readonly Viewer[], roll: () => number): Promise<void> {
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms]);
  const served = new Map<number, number>();
  let mismatches = 0;
  let short = 0;

  for (let round = -1; round < ROUNDS; round++) {
    for (const viewer of viewers) {
      await db.query("delete from decks where viewer = $1", [viewer.no]);
      const [searchMs, { options }] = await timed(() => viewer.client.ask(getOptions, {}));
      const [deckMs] = await timed(() => viewer.client.ask(getOptions, {}));
      const [ownMs] = await timed(() => viewer.client.ask(getOwnUser, {}));
      const [healthMs] = await timed(() => viewer.client.fetch("/healthz").then((answer) => answer.text()));
      const [tenMs] = await timed(() => readTen(db, roll));
      const [plainMs, expected] = await timed(() => readPlainly(db, viewer));
      served.set(viewer.no, options.length);
      if (options.length !== Math.min(10, expected)) mismatches++;
      if (expected < 60) short++;
      if (round < 0) continue; // warms up
      note(`search, ${viewer.kind}`, searchMs);
      note("search, all kinds", searchMs);
      if (viewer.kind !== "heavy" && viewer.kind !== "swiped")
        note("search, without heavy and swiped", searchMs);
      if (options.length === 10) note("from the deck", deckMs);
      note("own profile (the least call of a member)", ownMs);
      note("/healthz", healthMs);
      note("10 profiles by key, SQL alone", tenMs);
      note("the plain statement, SQL alone", plainMs);
    }
  }

  const floor = quantile(times.get("10 profiles by key, SQL alone")!, 0.5);
  const least = quantile(times.get("own profile (the least call of a member)")!, 0.5);
  const rows = [...times].map(([name, ms]) => {
    const ratios = [quantile(ms, 0.5) / floor, quantile(ms, 0.5) / least, quantile(ms, 0.95) / least];
    return [name].concat(
      spread(ms),
      ratios.map((ratio) => ratio.toFixed(1)),
    );
  });
  const full = viewers.filter(({ no }) => served.get(no) === 10);
  const fromDeck = await perSecond((i) => full[i % full.length]!.client.ask(getOptions, {}));
  const own = await perSecond((i) => full[i % full.length]!.client.ask(getOwnUser, {}));

  const asked = viewers.length * (ROUNDS + 1);
  process.stdout.write(
    `${MEMBERS} members, ${viewers.length} viewers, ${ROUNDS} rounds, ${availableParallelism()} cores, Node ${process.version}\n\n` +
      `${table(["what", "p50 ms", "p95", "p99", "p50 : 10 by key", "p50 : least call", "p95 : least call p50"], rows)}\n\n` +
      `${mismatches} of ${asked} answers held another number of people than the plain statement (${short} of them fewer than 60).\n` +
      `${IN_FLIGHT} in flight: ${fromDeck.toFixed(0)} fetches a second from decks, ${own.toFixed(0)} own profiles a second.\n`,
  );
}

await main();
process.exit();
