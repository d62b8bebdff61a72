import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { type CityOptions, generateResidents, type Resident, tasteOf } from "./fairness/city.ts";
import { figuresOf } from "./fairness/figures.ts";
import { nearestFirst, type Shown, simulate } from "./fairness/orders.ts";
import { serverOrder, settle } from "./fairness/server-order.ts";
import { createKeys, keyVariables } from "./population.ts";
import { Report } from "./results.ts";
import { databaseIn } from "./seed.ts";

/**
 * Compares who is shown and who matches, by the server's cards and by distance alone, for the same members and tastes.
 * Run: `npm run fairness -w bench -- --members 200,1000`. Shares: `--only-liked 0.2`, `--robots 0.2 --robots-like no`.
 */
const { values: options } = parseArgs({
  options: {
    members: { type: "string", default: "200,1000" },
    days: { type: "string", default: "14" },
    seeds: { type: "string", default: "1,2,3" },
    "only-liked": { type: "string", default: "0" },
    robots: { type: "string", default: "0" },
    "robots-like": { type: "string", default: "yes" },
    save: { type: "boolean", default: false },
  },
});
const numbersOf = (list: string) => list.split(",").map(Number);
const DAYS = Number(options.days);

type Figures = Record<string, number>;

async function playOnServer(residents: readonly Resident[], seed: number): Promise<Shown[]> {
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
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  });
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  try {
    await settle(db, residents, { key, mailbox, url: server.url });
    return await simulate(residents, serverOrder(residents, server.url, db), {
      days: DAYS,
      seed,
      likes: tasteOf(seed),
    });
  } finally {
    await db.end();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function playCity(city: CityOptions): Promise<{ nearest: Figures; server: Figures }> {
  const residents = generateResidents(city);
  const { seed } = city;
  const nearest = await simulate(residents, nearestFirst(residents), {
    days: DAYS,
    seed,
    likes: tasteOf(seed),
  });
  return {
    nearest: figuresOf(residents, nearest, DAYS),
    server: figuresOf(residents, await playOnServer(residents, seed), DAYS),
  };
}

function meanOf(all: readonly Figures[], name: string): string {
  const mean = all.reduce((sum, figures) => sum + figures[name]!, 0) / all.length;
  return mean.toFixed(name.startsWith("Gini") ? 2 : 1);
}

const report = new Report("fairness", options.save);
for (const members of numbersOf(options.members)) {
  const runs: Awaited<ReturnType<typeof playCity>>[] = [];
  for (const seed of numbersOf(options.seeds)) {
    runs.push(
      await playCity({
        members,
        days: DAYS,
        seed,
        onlyLiked: Number(options["only-liked"]),
        robots: Number(options.robots),
        robotsLike: options["robots-like"] === "yes",
      }),
    );
  }
  const rows = Object.keys(runs[0]!.server).map((name) => [
    name,
    meanOf(
      runs.map(({ nearest }) => nearest),
      name,
    ),
    meanOf(
      runs.map(({ server }) => server),
      name,
    ),
  ]);
  report.table(`${members} members of one city`, ["", "by distance alone", "the server's cards"], rows);
}
report.end(`${DAYS} days, seeds ${options.seeds}, one card a day, ten for paid members`);
process.exit();
