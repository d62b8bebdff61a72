import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { logIn } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { createClient, CallError, signUp, type Client } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startServer } from "@alcove/test-services/server";
import { quantile, table } from "./stats.ts";
import {
  createKeys,
  keyVariables,
  seededRandom,
  type SampleMember,
  type Place,
  placeNear,
  vectorOf,
} from "./population.ts";
import { databaseIn, seedMembers } from "./seed.ts";

/**
 * Compares impressions and matches of two weeks with the server's ranking and with distance alone, for the same members and
 * tastes. A day passes at the server by ageing all stored rows. Run: `npm run fairness -w bench -- --members 1000`.
 */
const { values: options } = parseArgs({
  options: { members: { type: "string", default: "1000" }, days: { type: "string", default: "14" } },
});
const MEMBERS = Number(options.members);
const DAYS = Number(options.days);
const FIRST_MEMBER_NO = 1_000_000;
const PAID_CARDS = 10;
const IN_FLIGHT = 4;
const PASSWORD = "three green doors";

interface Resident {
  readonly memberId: number;
  readonly sex: "female" | "male";
  readonly place: Place;
  /** Others' interest in this member, normally distributed. */
  readonly appeal: number;
  /** The probability of a visit per day. */
  readonly presence: number;
  readonly isPaid: boolean;
  /** The day of joining; negative for existing members. */
  readonly joined: number;
}

interface Shown {
  readonly day: number;
  readonly viewer: Resident;
  readonly candidate: Resident;
  readonly liked: boolean;
}

type Ranking = (day: number, present: readonly Resident[], doesLike: Taste) => Promise<Shown[]>;
type Taste = (viewer: Resident, candidate: Resident) => boolean;

function generateResidents(random: () => number): Resident[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: MEMBERS }, (_, i) => ({
    memberId: FIRST_MEMBER_NO + i,
    sex: random() < 0.7 ? "male" : "female",
    place: placeNear("tokyo", random),
    appeal: normal(),
    presence: 0.25 + 0.7 * random(),
    isPaid: random() < 0.15,
    joined: random() < 0.15 ? 1 + Math.floor(random() * (DAYS - 4)) : -1,
  }));
}

/** Equal in both runs. Women get more likes and like less. */
function tasteOf(seed: number): Taste {
  return (viewer, candidate) => {
    const chance = seededRandom(seed ^ (viewer.memberId * 2_654_435_761) ^ (candidate.memberId * 40_503))();
    const bias = viewer.sex === "male" ? 0.2 : -1.2;
    return chance < 1 / (1 + Math.exp(-(bias + candidate.appeal)));
  };
}

/** The baseline: the nearest members without a verdict. */
function byDistance(residents: readonly Resident[]): Ranking {
  const seenBy = new Map<number, Set<number>>();
  const nearest = new Map<number, readonly Resident[]>();
  const orderOf = (viewer: Resident) => {
    const own = vectorOf(viewer.place);
    const apart = (other: Resident) =>
      vectorOf(other.place).reduce((sum, x, i) => sum + (x - own[i]!) ** 2, 0);
    return residents
      .filter(({ sex }) => sex !== viewer.sex)
      .toSorted((a, b) => apart(a) - apart(b) || a.memberId - b.memberId);
  };
  return async (day, present, doesLike) =>
    present.flatMap((viewer) => {
      const seen = seenBy.get(viewer.memberId) ?? new Set();
      seenBy.set(viewer.memberId, seen);
      const order = nearest.get(viewer.memberId) ?? orderOf(viewer);
      nearest.set(viewer.memberId, order);
      const cards = order
        .filter(({ memberId, joined }) => joined <= day && !seen.has(memberId))
        .slice(0, cardsOf(viewer));
      return cards.map((candidate) => {
        seen.add(candidate.memberId);
        return { day, viewer, candidate, liked: doesLike(viewer, candidate) };
      });
    });
}

function byServer(residents: readonly Resident[], url: string, db: pg.Client): Ranking {
  const byId = new Map(residents.map((resident) => [idOf(resident), resident]));
  const clients = new Map<number, Client>();
  const clientFor = async (resident: Resident, isFresh = false) => {
    const known = isFresh ? undefined : clients.get(resident.memberId);
    if (known) return known;
    const { access } = await createClient(url).call(logIn, { user_id: idOf(resident), password: PASSWORD });
    const client = createClient(url, access);
    clients.set(resident.memberId, client);
    return client;
  };
  /** A token expires after 15 minutes, before the simulation ends. */
  const withSession = async <T>(resident: Resident, call: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await call(await clientFor(resident));
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 401) throw error;
      return call(await clientFor(resident, true));
    }
  };
  return async (day, present, doesLike) => {
    if (day > 0) await ageByOneDay(db);
    const joining = residents.filter(({ joined }) => joined === day).map(({ memberId }) => memberId);
    await db.query("insert into searchables select * from searchables_later where member_no = any($1)", [
      joining,
    ]);
    const shown: Shown[] = [];
    const queue = [...present];
    const visitNext = async () => {
      for (let viewer = queue.shift(); viewer; viewer = queue.shift()) {
        const { options } = await withSession(viewer, (client) => client.call(getOptions, {}));
        for (const { user_id: userId } of options.slice(0, cardsOf(viewer))) {
          const candidate = byId.get(userId)!;
          const liked = doesLike(viewer, candidate);
          await withSession<unknown>(viewer, (client) =>
            liked ? client.call(likeUser, { likedId: userId }) : client.call(passUser, { unlikedId: userId }),
          );
          shown.push({ day, viewer, candidate, liked });
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, visitNext));
    return shown;
  };
}

const cardsOf = ({ isPaid }: Resident) => (isPaid ? PAID_CARDS : 1);
const idOf = ({ memberId }: Resident) => `m${memberId}`;

async function ageByOneDay(db: pg.Client): Promise<void> {
  await db.query("update verdicts set day = day - 1");
  await db.query("update match_edges set day = day - 1");
  await db.query("update decks set built_at = built_at - interval '1 day'");
  await db.query("delete from quota_days");
  for (const table of ["searchables", "searchables_later"])
    await db.query(`
      update ${table} set active_day = active_day - 1, slot = slot + 1024`);
}

async function simulate(residents: readonly Resident[], ranking: Ranking, doesLike: Taste): Promise<Shown[]> {
  const random = seededRandom(7);
  const all: Shown[] = [];
  for (let day = 0; day < DAYS; day++) {
    const present = residents.filter(({ presence, joined }) => {
      const isHere = random() < presence;
      return joined <= day && (isHere || joined === day);
    });
    all.push(...(await ranking(day, present, doesLike)));
  }
  return all;
}

function figuresOf(residents: readonly Resident[], shown: readonly Shown[]): [string, string][] {
  const likes = new Set(
    shown.filter(({ liked }) => liked).map((s) => `${s.viewer.memberId} ${s.candidate.memberId}`),
  );
  const isMatched = new Set(
    shown
      .filter((s) => s.liked && likes.has(`${s.candidate.memberId} ${s.viewer.memberId}`))
      .map(({ viewer }) => viewer.memberId),
  );
  const share = (some: readonly Resident[], has: (resident: Resident) => boolean) =>
    `${((100 * some.filter(has).length) / some.length).toFixed(1)} %`;
  const matched = (some: readonly Resident[]) => share(some, ({ memberId }) => isMatched.has(memberId));

  // Early likers get more impressions, which are counted apart.
  const seen = new Map<number, number>();
  const beforeOwnLike = new Map<number, number>();
  const given = new Set<string>();
  for (const { viewer, candidate, liked: isLike } of shown) {
    seen.set(candidate.memberId, (seen.get(candidate.memberId) ?? 0) + 1);
    if (!given.has(`${candidate.memberId} ${viewer.memberId}`))
      beforeOwnLike.set(candidate.memberId, (beforeOwnLike.get(candidate.memberId) ?? 0) + 1);
    if (isLike) given.add(`${viewer.memberId} ${candidate.memberId}`);
  }
  const countsOf = (counts: ReadonlyMap<number, number>, sex: Resident["sex"]) =>
    residents
      .filter((resident) => resident.sex === sex && resident.joined < 0)
      .map(({ memberId }) => counts.get(memberId) ?? 0);
  const newMembers = residents.filter(({ joined }) => joined >= 0);
  const firstSeen = (resident: Resident) =>
    shown.some(({ candidate, day }) => candidate === resident && day <= resident.joined + 2);
  const liked = shown.filter((s) => s.liked);
  const verdicts = new Set(shown.map((s) => `${s.viewer.memberId} ${s.candidate.memberId}`));
  const answeredLikes = liked.filter((s) =>
    verdicts.has(`${s.candidate.memberId} ${s.viewer.memberId}`),
  ).length;

  const figures: [string, string][] = [
    ["members with a match after two weeks", matched(residents)],
    ["free members with a match", matched(residents.filter(({ isPaid }) => !isPaid))],
    ["paid members with a match", matched(residents.filter(({ isPaid }) => isPaid))],
    ["women with a match", matched(residents.filter(({ sex }) => sex === "female"))],
    ["men with a match", matched(residents.filter(({ sex }) => sex === "male"))],
    ["likes with a verdict in return", `${((100 * answeredLikes) / liked.length).toFixed(1)} %`],
    ["new members shown within three days", share(newMembers, firstSeen)],
  ];
  for (const sex of ["female", "male"] as const) {
    const times = countsOf(seen, sex);
    const total = times.reduce((sum, n) => sum + n, 0);
    const top = times.toSorted((a, b) => b - a).slice(0, Math.ceil(times.length / 20));
    figures.push(
      [`${sex}: never shown`, `${((100 * times.filter((n) => n === 0).length) / times.length).toFixed(1)} %`],
      [
        `${sex}: times shown, 10th, 50th, 90th of 100`,
        [0.1, 0.5, 0.9].map((q) => quantile(times, q)).join(", "),
      ],
      [`${sex}: impressions of the most shown twentieth`, `${((100 * sumOf(top)) / total).toFixed(1)} %`],
      [`${sex}: Gini of impressions`, gini(times).toFixed(2)],
      [`${sex}: Gini of impressions before their own like`, gini(countsOf(beforeOwnLike, sex)).toFixed(2)],
    );
  }
  return figures;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The Gini coefficient: 0 is equal, 1 is one member with everything. */
function gini(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const weighted = sumOf(sorted.map((value, i) => value * (2 * (i + 1) - sorted.length - 1)));
  return weighted / (sorted.length * sumOf(sorted));
}

const searchRowOf = ({ memberId, sex, place }: Resident): SampleMember => ({
  memberId,
  sex,
  born: "1984-03-02",
  seeks: sex === "male" ? "female" : "male",
  minAge: 0,
  maxAge: 120,
  maxKm: 500,
  place,
  away: 1,
  randomRank: memberId % 1_024,
});

async function main(): Promise<void> {
  const residents = generateResidents(seededRandom(3));
  const doesLike = tasteOf(11);
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const key = createKeys();
  const mailbox = await startMailbox();
  const server = await startServer({
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    ...keyVariables(key),
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
  });
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  try {
    const model = signUpForm("model", { sex: "male", date_of_birth: "1984-03-02", password: PASSWORD });
    await signUp(server.url, mailbox, model);
    await seedMembers(db, key, residents.map(searchRowOf));
    await db.query(`
      update members set password_hash = (select password_hash from members where password_hash is not null)
      where password_hash is null`);
    const paid = residents.filter(({ isPaid }) => isPaid).map(({ memberId }) => memberId);
    await db.query(
      "insert into memberships select no, now() + interval '1 year', '\\x00' from unnest($1::int8[]) no",
      [paid],
    );
    await db.query("create table searchables_later as select * from searchables");
    const later = residents.filter(({ joined }) => joined >= 0).map(({ memberId }) => memberId);
    await db.query("delete from searchables where member_no = any($1::int8[])", [later]);

    const columns = [
      figuresOf(residents, await simulate(residents, byDistance(residents), doesLike)),
      figuresOf(residents, await simulate(residents, byServer(residents, server.url, db), doesLike)),
    ] as const;
    const rows = columns[0].map(([name, value], i) => [name, value, columns[1][i]![1]]);
    process.stdout.write(
      `${MEMBERS} members of one city, ${DAYS} days\n\n${table(["", "by distance alone", "the server's order"], rows)}\n`,
    );
  } finally {
    await db.end();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
process.exit();
