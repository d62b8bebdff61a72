import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { type CityOptions, generateResidents, type Resident, tasteOf } from "./fairness/city.ts";
import { figuresOf } from "./fairness/figures.ts";
import { createModel } from "./fairness/model.ts";
import { onlookersLearn } from "./fairness/onlookers.ts";
import { type Order, type Shown, simulate } from "./fairness/orders.ts";
import { knownChances, knownTastes, newOrder, oldOrder } from "./fairness/ranks.ts";
import { serverOrder, settle } from "./fairness/server-order.ts";
import { createKeys, keyVariables } from "./population.ts";
import { Report } from "./results.ts";
import { databaseIn } from "./seed.ts";

/**
 * Compares who is shown and who matches by the old order and by the server's cards. Run: `npm run fairness -w bench -- --members 200,1000 --days 14`.
 *
 * `--onlookers` plays what members learn from looking at cards instead. Shares: `--only-liked 0.2`, `--robots 0.2 --robots-like no`. `--server-seeds 1` plays only this seed on the server, and
 * `--server-seeds 0` none. `--save` keeps the results, one file for each city.
 */
const { values: options } = parseArgs({
  options: {
    members: { type: "string", default: "200,1000" },
    days: { type: "string", default: "14" },
    seeds: { type: "string", default: "1,2,3" },
    "only-liked": { type: "string", default: "0" },
    robots: { type: "string", default: "0" },
    "robots-like": { type: "string", default: "yes" },
    "server-seeds": { type: "string" },
    onlookers: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
  },
});
const numbersOf = (list: string) => list.split(",").map(Number);
const DAYS = Number(options.days);
const TOKEN_SECRET = "a secret of thirty-two characters";
const SERVER = "the server's cards";

type Figures = Record<string, number>;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function logProgress(text: string): void {
  process.stderr.write(
    `${new Date().toISOString().slice(11, 19)} load ${loadavg()[0]!.toFixed(1)} ${text}\n`,
  );
}

async function playOnServer(residents: readonly Resident[], play: (order: Order) => Promise<Shown[]>) {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const key = createKeys();
  const mailbox = await startMailbox();
  const server = await startServer({
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    ...keyVariables(key),
    TOKEN_SECRET,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  });
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  try {
    const sessions = await settle(db, residents, key);
    return await play(serverOrder(residents, { url: server.url, db, sessions, tokenSecret: TOKEN_SECRET }));
  } finally {
    await db.end();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Figures by the name of the order. */
async function playCity(city: CityOptions): Promise<ReadonlyMap<string, Figures>> {
  const residents = generateResidents(city);
  const { seed } = city;
  const likes = tasteOf(seed);
  const play = (order: Order) =>
    simulate(residents, order, {
      days: DAYS,
      seed,
      likes,
      logProgress: (text) => logProgress(`seed ${seed}: ${text}`),
    });
  const models = {
    "the old order": oldOrder,
    "the order, as a model": newOrder,
    "all chances known": knownChances,
    "all tastes known": knownTastes(likes),
  };
  const all = new Map<string, Figures>();
  for (const [name, rules] of Object.entries(models)) {
    logProgress(`${city.members} members, seed ${seed}: ${name}`);
    all.set(name, figuresOf(residents, await play(createModel(residents, rules).order), DAYS));
  }
  if (!numbersOf(options["server-seeds"] ?? options.seeds).includes(seed)) return all;
  logProgress(`${city.members} members, seed ${seed}: ${SERVER}`);
  return all.set(SERVER, figuresOf(residents, await playOnServer(residents, play), DAYS));
}

const shares = { onlyLiked: Number(options["only-liked"]), robots: Number(options.robots) };
const robotsLike = options["robots-like"] === "yes";
const special = [
  shares.onlyLiked > 0 && "only-liked",
  shares.robots > 0 && (robotsLike ? "robots-like-all" : "robots-like-none"),
].filter((name) => name !== false);

const circumstances = [
  `${DAYS} days, seeds ${options.seeds}, one card a day, ten for paid members`,
  ...(shares.onlyLiked > 0 ? [`${shares.onlyLiked} show to liked members only`] : []),
  ...(shares.robots > 0
    ? [`${shares.robots} are robots that like ${robotsLike ? "everybody" : "nobody"}`]
    : []),
].join(", ");

async function compareOrders(members: number): Promise<void> {
  const runs = await Promise.all(
    numbersOf(options.seeds).map(async (seed) => ({
      seed,
      figures: await playCity({ members, days: DAYS, seed, ...shares, robotsLike }),
    })),
  );
  const report = new Report(["fairness", members, ...special].join("-"), options.save);
  const orders = [...new Set(runs.flatMap(({ figures }) => [...figures.keys()]))];
  const names = Object.keys(runs[0]!.figures.get(orders[0]!)!);
  const rowsOf = (cellOf: (order: string, name: string) => string) =>
    names.map((name) => [name].concat(orders.map((order) => cellOf(order, name))));
  const meanOf = (order: string, name: string) =>
    mean(runs.flatMap(({ figures }) => figures.get(order)?.[name] ?? [])).toFixed(
      name.startsWith("Gini") ? 2 : 1,
    );
  report.table(`${members} members of one city, means`, ["", ...orders], rowsOf(meanOf));
  for (const { seed, figures } of runs)
    report.table(
      `seed ${seed}`,
      ["", ...orders],
      rowsOf((order, name) => figures.get(order)?.[name]?.toFixed(3) ?? "–"),
    );
  report.end(circumstances);
}

async function letThemLook(members: number): Promise<void> {
  const report = new Report(["fairness", members, "onlookers"].join("-"), options.save);
  const orders = { "the old order": oldOrder, "the order": newOrder };
  const learned: Figures[][] = [];
  for (const rules of Object.values(orders)) {
    const runs: Figures[] = [];
    for (const seed of numbersOf(options.seeds))
      runs.push(await onlookersLearn(rules, { members, days: DAYS, seed }));
    learned.push(runs);
  }
  report.table(
    `${members} members of one city`,
    ["", ...Object.keys(orders)],
    Object.keys(learned[0]![0]!).map((name) =>
      [name].concat(learned.map((runs) => mean(runs.map((figures) => figures[name]!)).toFixed(2))),
    ),
  );
  report.end(circumstances);
}

for (const members of numbersOf(options.members))
  await (options.onlookers ? letThemLook(members) : compareOrders(members));
process.exit();
