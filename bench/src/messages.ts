import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import type { ChatName, Pair, ClientReply, ClientOrder } from "./chat.ts";
import { type BenchKeys, createKeys, keyVariables } from "./population.ts";
import { seedPairs } from "./seed-matches.ts";
import { Report } from "./results.ts";
import { spread } from "./stats.ts";
import { CpuTime, familyMs, processorMs } from "./processor.ts";
import { databaseIn, postmasterIn } from "./seed.ts";

/**
 * Measures messages from sender to receiver with 100, 1,000 and 10,000 open sockets, of our server and of a minimal chat
 * on socket.io. Run: `npm run messages -w bench`. `--sockets 100 --chats alcove` runs less, `--rates 300,1000` adds rows at
 * these rates a second, `--prof FOLDER` writes a CPU profile of the server, `--save` keeps the results.
 */
const { values: options } = parseArgs({
  options: {
    sockets: { type: "string", default: "100,1000,10000" },
    chats: { type: "string", default: "socketio,alcove" },
    "in-flight": { type: "string", default: "32,64,128,256" },
    seconds: { type: "string", default: "5" },
    rates: { type: "string", default: "" },
    prof: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const SOCKETS = options.sockets.split(",").map(Number);
const NAMES = options.chats.split(",") as ChatName[];
/** Messages in flight; the last value saturates every chat. */
const IN_FLIGHT = options["in-flight"].split(",").map(Number);
const countsFor = (sockets: number) => IN_FLIGHT.filter((count) => count <= sockets);
const SECONDS = Number(options.seconds);
const RATES = options.rates.split(",").filter(Boolean).map(Number);
/** The warm-up time of the JIT compiler. */
const WARM_UP_SECONDS = 10;
const CLIENT_PROCESSES = 2;
/** Idle time before the server's memory is read. */
const SETTLING_MS = 3_000;
const TITLES: Record<ChatName, string> = {
  alcove: "ours",
  socketio: "socket.io + PostgreSQL",
};

interface Outcome {
  readonly perSecond: number;
  readonly deliveriesMs: readonly number[];
}

interface Figures {
  readonly byInFlight: ReadonlyMap<number, Outcome>;
  readonly perSecond: number;
  /** At half of `perSecond`. */
  readonly half: Outcome;
  /** At `--rates`. */
  readonly atRates: ReadonlyMap<number, { outcome: Outcome; processor: Processor }>;
}

/** CPU milliseconds per message, as table cells. */
type Processor = readonly [own: string, database: string, clients: string];

interface Measured {
  readonly bySockets: Map<number, Figures>;
  /** Memory per idle socket; null with too few sockets. */
  readonly idleKb: number | null;
  /** At the highest rate. */
  readonly processor: Processor;
}

function logProgress(text: string): void {
  const at = new Date().toISOString().slice(11, 19);
  process.stderr.write(`${at} load ${loadavg()[0]!.toFixed(1)} ${text}\n`);
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

class SocketClients {
  readonly #children: readonly ChildProcess[];
  readonly #failed: Promise<never>;

  constructor(name: ChatName, url: string) {
    const file = new URL("socket-clients.ts", import.meta.url);
    this.#children = Array.from({ length: CLIENT_PROCESSES }, () => fork(file, [name, url]));
    this.#failed = Promise.race(this.#children.map(failed));
    this.#failed.catch(() => undefined); // reported to each waiting caller
  }

  processorMs(): number | null {
    const each = this.#children.map(({ pid }) => processorMs(pid!));
    return each.every((ms) => ms !== null) ? each.reduce((sum, ms) => sum + ms, 0) : null;
  }

  async open(pairs: readonly Pair[]): Promise<void> {
    await this.#all((at) => ({ open: pairs.filter((_, index) => index % CLIENT_PROCESSES === at) }));
  }

  async inFlight(count: number, seconds: number): Promise<Outcome> {
    return outcomeOf(await this.#all(() => ({ inFlight: count / CLIENT_PROCESSES, seconds })));
  }

  async atRate(perSecond: number, seconds: number): Promise<Outcome> {
    return outcomeOf(await this.#all(() => ({ perSecond: perSecond / CLIENT_PROCESSES, seconds })));
  }

  end(): void {
    for (const child of this.#children) child.disconnect();
  }

  async #all(orderOf: (at: number) => ClientOrder): Promise<ClientReply[]> {
    return Promise.all(
      this.#children.map(async (child, at) => {
        child.send(orderOf(at));
        const [reply] = (await Promise.race([once(child, "message"), this.#failed])) as [ClientReply];
        return reply;
      }),
    );
  }
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, "exit")) as [number | null];
  throw new Error(`a child process exited with ${code}`);
}

function outcomeOf(replies: readonly ClientReply[]): Outcome {
  const deliveriesMs = replies.flatMap((reply) => reply.deliveriesMs);
  return {
    deliveriesMs,
    perSecond: deliveriesMs.length / Math.max(...replies.map(({ seconds }) => seconds)),
  };
}

function memoryKb(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}

async function measure(
  name: ChatName,
  { url, pid, postmaster }: { url: string; pid: number; postmaster: number },
  pairs: readonly Pair[],
): Promise<Measured> {
  const clients = new SocketClients(name, url);
  const bySockets = new Map<number, Figures>();
  let open = 0;
  let idleKb: number | null = null;
  const newCpuTimes = () =>
    [
      new CpuTime(() => processorMs(pid)),
      new CpuTime(() => familyMs(postmaster)),
      new CpuTime(() => clients.processorMs()),
    ] as const;
  const cpuTimes = newCpuTimes();
  let delivered = 0;
  for (const sockets of SOCKETS) {
    const counts = countsFor(sockets);
    await pause(open === 0 ? 0 : SETTLING_MS);
    const before = memoryKb(pid);
    await clients.open(pairs.slice(open / 2, sockets / 2));
    if (open > 0) await pause(SETTLING_MS);
    // A server keeps the memory of earlier sockets.
    if (sockets - open >= 5_000) idleKb = (memoryKb(pid) - before) / (sockets - open);
    if (open === 0) await clients.inFlight(counts.at(-1)!, WARM_UP_SECONDS);
    open = sockets;

    const byInFlight = new Map<number, Outcome>();
    for (const count of counts) {
      if (count === counts.at(-1)) for (const one of cpuTimes) one.start();
      byInFlight.set(count, await clients.inFlight(count, SECONDS));
    }
    for (const one of cpuTimes) one.end();
    delivered += byInFlight.get(counts.at(-1)!)!.deliveriesMs.length;
    const perSecond = Math.max(...[...byInFlight.values()].map((outcome) => outcome.perSecond));
    const half = await clients.atRate(Math.round(perSecond / 2), SECONDS);
    const atRates = new Map<number, { outcome: Outcome; processor: Processor }>();
    for (const rate of RATES) {
      const times = newCpuTimes();
      for (const one of times) one.start();
      const outcome = await clients.atRate(rate, SECONDS);
      for (const one of times) one.end();
      atRates.set(rate, { outcome, processor: perMessage(times, outcome.deliveriesMs.length) });
    }
    bySockets.set(sockets, { byInFlight, perSecond, half, atRates });
    logProgress(`${TITLES[name]}, ${sockets} sockets: ${perSecond.toFixed(0)} a second`);
  }
  clients.end();
  return { bySockets, idleKb, processor: perMessage(cpuTimes, delivered) };
}

const perMessage = (
  [own, database, clients]: readonly [CpuTime, CpuTime, CpuTime],
  count: number,
): Processor => [own.perEach(count), database.perEach(count), clients.perEach(count)];

async function withChild<T>(
  file: string,
  env: Record<string, string>,
  use: (server: { url: string; pid: number }) => Promise<T>,
): Promise<T> {
  const child = fork(new URL(file, import.meta.url), { env: { ...process.env, ...env } });
  const [url] = (await Promise.race([once(child, "message"), failed(child)])) as [string];
  try {
    return await use({ url, pid: child.pid! });
  } finally {
    child.disconnect();
  }
}

async function measureAll(
  server: ServerProcess,
  {
    url: database,
    postmaster,
    keys,
    token,
  }: { url: string; postmaster: number; keys: BenchKeys; token: string },
  pairs: readonly Pair[],
): Promise<Map<ChatName, Measured>> {
  const found = new Map<ChatName, Measured>();
  for (const name of NAMES) {
    const act = (chat: { url: string; pid: number }) => measure(name, { ...chat, postmaster }, pairs);
    const env = { DATABASE_URL: database, PASSWORD_PEPPER: keys.pepper, TOKEN_SECRET: token };
    found.set(name, name === "alcove" ? await act(server) : await withChild("socketio-chat.ts", env, act));
  }
  return found;
}

function report(found: Map<ChatName, Measured>): void {
  const results = new Report("messages", options.save);
  const row = (load: string, name: ChatName, { perSecond, deliveriesMs }: Outcome) => [
    load,
    TITLES[name],
    perSecond.toFixed(0),
    ...spread(deliveriesMs),
  ];
  const rows = SOCKETS.flatMap((sockets) => [
    ...countsFor(sockets).flatMap((count) =>
      [...found].map(([name, { bySockets }]) =>
        row(`${sockets} sockets, ${count} in flight`, name, bySockets.get(sockets)!.byInFlight.get(count)!),
      ),
    ),
    ...[...found].map(([name, { bySockets }]) =>
      row(`${sockets} sockets, half of its highest rate`, name, bySockets.get(sockets)!.half),
    ),
  ]);
  const head = ["load", "chat", "a second", "arrival p50 ms", "p95", "p99"];
  const ofProcessor = ["processor a message, ms", "of the database", "of the clients"];
  results.table("rates", head, rows);
  const costs = [...found].map(([name, { idleKb, processor }]) =>
    [TITLES[name], idleKb?.toFixed(1) ?? ""].concat(processor),
  );
  results.table("costs", ["chat", "KB an idle socket", ...ofProcessor], costs);
  const atRates = [...found].flatMap(([name, { bySockets }]) =>
    [...bySockets].flatMap(([sockets, figures]) =>
      [...figures.atRates].map(([rate, { outcome, processor }]) =>
        row(`${sockets} sockets, ${rate} a second`, name, outcome).concat(processor),
      ),
    ),
  );
  if (RATES.length > 0) results.table("fixed rates", [...head, ...ofProcessor], atRates);
  results.end(`${SECONDS} s a row`);
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const encryption = createKeys();
  const token = randomBytes(32).toString("base64");
  const server = await startServer({
    DATA_DIR: dataDir,
    ...keyVariables(encryption),
    TOKEN_SECRET: token,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
    ...(options.prof && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.prof}` }),
  });
  const database = databaseIn(dataDir);
  const db = new pg.Client({ connectionString: database });
  await db.connect();
  try {
    const pairCount = Math.max(...SOCKETS) / 2;
    logProgress(`seeding ${2 * pairCount} members`);
    const pairs = await seedPairs(db, { encryption, token }, pairCount);
    const parts = { url: database, postmaster: postmasterIn(dataDir), keys: encryption, token };
    const found = await measureAll(server, parts, pairs);
    report(found);
  } finally {
    await db.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
process.exit();
