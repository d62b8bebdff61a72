import { execFileSync, fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import { type Dm, getDms, sendDm } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import type { Pair, Party } from "./chat.ts";
import { HttpConnection, type RawRequest } from "./http-connection.ts";
import { noisePng } from "./noise-png.ts";
import { createKeys, keyVariables, placeNear, seededRandom } from "./population.ts";
import { familyMs, processorMs } from "./processor.ts";
import { databaseIn, postmasterIn } from "./seed.ts";
import { seedPairs } from "./seed-matches.ts";
import { Report } from "./results.ts";
import { quantile } from "./stats.ts";

/**
 * Measures a mix of requests on one and on two server processes. The two frequent calls are compared with a bare Fastify
 * that reads one row by primary key. Run: `npm run load -w bench`.
 *
 * Each server process is pinned to one core; database and clients run on all. `--prof FOLDER` writes a CPU profile of the
 * first server. `--only browse` or `--only history` measures this row alone, beside the bare one. `--save` keeps the results.
 */
const { values: options } = parseArgs({
  options: {
    pairs: { type: "string", default: "1000" },
    connections: { type: "string", default: "32" },
    seconds: { type: "string", default: "8" },
    prof: { type: "string" },
    only: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const PAIRS = Number(options.pairs);
const CONNECTIONS = Number(options.connections);
const SECONDS = Number(options.seconds);
const WARM_UP_SECONDS = 3;
const PAIRS_WITH_HISTORY = Math.min(40, PAIRS);
const HISTORY = 100;
const PAIRS_BROWSING = Math.min(200, PAIRS);
const IMAGES = 20;
const PINNING = "taskset";

type Connections = readonly HttpConnection[];
type Operation = (connection: HttpConnection) => Promise<unknown>;

interface Outcome {
  readonly perSecond: number;
  readonly ms: ReadonlyMap<string, readonly number[]>;
  readonly serverCores: number;
  readonly databaseCores: number;
  readonly memoryMb: readonly number[];
}

interface Target {
  readonly urls: readonly string[];
  readonly pids: readonly number[];
}

function logProgress(text: string): void {
  process.stderr.write(
    `${new Date().toISOString().slice(11, 19)} load ${loadavg()[0]!.toFixed(1)} ${text}\n`,
  );
}

function pin(pid: number, core: number): void {
  execFileSync(PINNING, ["-acp", String(core % availableParallelism()), String(pid)], { stdio: "ignore" });
}

const memoryMb = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;

async function measure(
  { urls, pids }: Target,
  postmaster: number,
  draw: () => [kind: string, operation: Operation],
): Promise<Outcome> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, i) => HttpConnection.open(urls[i % urls.length]!)),
  );
  const run = async (seconds: number) => {
    const ms = new Map<string, number[]>();
    const until = performance.now() + seconds * 1_000;
    const client = async (connection: HttpConnection) => {
      while (performance.now() < until) {
        const [kind, operation] = draw();
        const start = performance.now();
        await operation(connection);
        const all = ms.get(kind) ?? [];
        ms.set(kind, all);
        all.push(performance.now() - start);
      }
    };
    await Promise.all(connections.map(client));
    return ms;
  };
  const cpu = () => ({
    servers: pids.reduce((sum, pid) => sum + (processorMs(pid) ?? Number.NaN), 0),
    database: familyMs(postmaster) ?? Number.NaN,
  });
  await run(WARM_UP_SECONDS);
  const [before, startedAt] = [cpu(), performance.now()];
  const ms = await run(SECONDS);
  const [after, elapsedMs] = [cpu(), performance.now() - startedAt];
  closeAll(connections);
  const count = [...ms.values()].reduce((sum, all) => sum + all.length, 0);
  return {
    perSecond: (count * 1_000) / elapsedMs,
    ms,
    serverCores: (after.servers - before.servers) / elapsedMs,
    databaseCores: (after.database - before.database) / elapsedMs,
    memoryMb: pids.map(memoryMb),
  };
}

function closeAll(connections: Connections): void {
  for (const connection of connections) connection.close();
}

const rawOf = (
  { path, method, headers, body }: ReturnType<typeof buildRequest>,
  token: string,
): RawRequest => ({
  method,
  path,
  headers: { ...headers, authorization: `Bearer ${token}` },
  ...(typeof body === "string" && { body }),
});

/** Throws on any status but these: a failing call would be fast. */
async function send(connection: HttpConnection, request: RawRequest): Promise<Buffer> {
  const { status, body } = await connection.send(request);
  if (status !== 200 && status !== 204)
    throw new Error(`${request.method} ${request.path}: ${status} ${body.toString()}`);
  return body;
}

class Members {
  readonly #pairs: readonly Pair[];
  readonly #mailbox: Mailbox;
  readonly #random = seededRandom(2);
  readonly #picture = noisePng(900, 675);
  /** Paths of uploaded images with the token of a member who sees them. */
  readonly #images: { path: string; token: string }[] = [];
  #signedUp = 0;

  constructor(pairs: readonly Pair[], mailbox: Mailbox) {
    this.#pairs = pairs;
    this.#mailbox = mailbox;
  }

  async prepare(url: string): Promise<void> {
    const connections = await Promise.all(Array.from({ length: 16 }, () => HttpConnection.open(url)));
    const waiting = this.#pairs.slice(0, PAIRS_WITH_HISTORY);
    const writer = async (connection: HttpConnection) => {
      for (let pair = waiting.pop(); pair; pair = waiting.pop())
        for (let i = 0; i < HISTORY; i++) await this.#write(connection, pair[i % 2]!, pair[1 - (i % 2)]!);
    };
    await Promise.all(connections.map(writer));
    for (let i = 0; i < IMAGES; i++) await this.#upload(connections[0]!);
    const browsing = this.#pairs.slice(0, PAIRS_BROWSING).flat();
    const searcher = async (connection: HttpConnection) => {
      for (let party = browsing.pop(); party; party = browsing.pop()) await this.#fillDeck(connection, party);
    };
    await Promise.all(connections.map(searcher));
    closeAll(connections);
  }

  /** A fetch that searched would not measure the deck. */
  async #fillDeck(connection: HttpConnection, { token }: Party): Promise<void> {
    const body = await send(connection, rawOf(buildRequest(getOptions, {}), token));
    const { options: cards } = JSON.parse(body.toString()) as { options: unknown[] };
    if (cards.length < OPTIONS_PER_FETCH) throw new Error("too few members for a deck: raise --pairs");
  }

  browse: Operation = (connection) => {
    const party = this.#pairs[this.#below(PAIRS_BROWSING)]![this.#below(2)]!;
    return send(connection, rawOf(buildRequest(getOptions, {}), party.token));
  };

  readHistory: Operation = (connection) => {
    const [one, other] = this.#pairs[this.#below(PAIRS_WITH_HISTORY)]!;
    return send(connection, rawOf(buildRequest(getDms, { friendId: other.userId }), one.token));
  };

  /** Shares are guesses about an evening: most requests read. */
  draw(url: () => string): [string, Operation] {
    const kind = this.#random();
    if (kind < 0.35) return ["browse", this.browse];
    if (kind < 0.5) return ["like or pass", this.#judge];
    if (kind < 0.7) return ["read a chat", this.readHistory];
    if (kind < 0.9) return ["send a message", this.#chat];
    if (kind < 0.97) return ["see an image", this.#see];
    if (kind < 0.99) return ["send an image", this.#upload];
    return ["sign up", () => this.#signUp(url())];
  }

  #judge: Operation = (connection) => {
    const [me, other] = [this.#someone(), this.#someone()];
    if (me.userId === other.userId) return this.browse(connection);
    const request =
      this.#random() < 0.4
        ? buildRequest(likeUser, { likedId: other.userId })
        : buildRequest(passUser, { unlikedId: other.userId });
    return send(connection, rawOf(request, me.token));
  };

  /** Pairs with a history keep their hundred messages. */
  #chat: Operation = (connection) => {
    const [one, other] = this.#pairs[PAIRS_WITH_HISTORY + this.#below(PAIRS - PAIRS_WITH_HISTORY)]!;
    return this.#write(connection, one, other);
  };

  #write(connection: HttpConnection, from: Party, to: Party): Promise<Buffer> {
    const description = "See you on Thursday at seven, by the fountain. I bring the book.";
    const input = { receiverId: to.userId, description, clientId: randomUUID() };
    return send(connection, rawOf(buildRequest(sendDm, input), from.token));
  }

  #upload: Operation = async (connection) => {
    const [one, other] = this.#pairs[PAIRS_WITH_HISTORY + this.#below(PAIRS - PAIRS_WITH_HISTORY)]!;
    const form = new FormData();
    form.append("receiverId", other.userId);
    form.append("file", new Blob([this.#picture], { type: "image/png" }), "image.png");
    const encoded = new Response(form);
    const headers = {
      authorization: `Bearer ${one.token}`,
      "content-type": encoded.headers.get("content-type")!,
    };
    const body = Buffer.from(await encoded.arrayBuffer());
    const { path } = buildRequest(sendDm, { receiverId: other.userId, description: "x" });
    const response = await send(connection, { method: "POST", path, headers, body });
    const { dm } = JSON.parse(response.toString()) as { dm: Dm };
    const { pathname, search } = new URL(dm.file!, "http://any");
    this.#images.push({ path: pathname + search, token: one.token });
    if (this.#images.length > 200) this.#images.shift();
  };

  #see: Operation = (connection) => {
    const { path, token } = this.#images[this.#below(this.#images.length)]!;
    return send(connection, { method: "GET", path, headers: { authorization: `Bearer ${token}` } });
  };

  #signUp(url: string): Promise<unknown> {
    return signUp(url, this.#mailbox, signUpForm(`load_${this.#signedUp++}`));
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #someone(): Party {
    return this.#pairs[this.#below(PAIRS)]![this.#below(2)]!;
  }
}

function rowOf(name: string, outcome: Outcome, of: number | null): string[] {
  const all = [...outcome.ms.values()].flat();
  return [
    name,
    outcome.perSecond.toFixed(0),
    of === null ? "" : `${((100 * outcome.perSecond) / of).toFixed(0)} %`,
    ...[0.5, 0.95, 0.99].map((share) => quantile(all, share).toFixed(1)),
    ((1_000 * outcome.serverCores) / outcome.perSecond).toFixed(3),
    ((1_000 * outcome.databaseCores) / outcome.perSecond).toFixed(3),
    outcome.serverCores.toFixed(2),
    outcome.databaseCores.toFixed(2),
    outcome.memoryMb.map((mb) => mb.toFixed(0)).join(", "),
  ];
}

async function measureBare(database: string, postmaster: number): Promise<Outcome> {
  const bare = fork(new URL("bare-fastify.ts", import.meta.url), {
    env: { ...process.env, DATABASE_URL: database },
  });
  const [url] = (await once(bare, "message")) as [string];
  pin(bare.pid!, 0);
  const random = seededRandom(3);
  const outcome = await measure({ urls: [url], pids: [bare.pid!] }, postmaster, () => [
    "member",
    (connection) =>
      send(connection, {
        method: "GET",
        path: `/${1_000_000 + Math.floor(random() * 2 * PAIRS)}`,
        headers: {},
      }),
  ]);
  bare.disconnect();
  return outcome;
}

function report(outcomes: ReadonlyMap<string, Outcome>): void {
  const bare = outcomes.get("bare")!.perSecond;
  const titles: Record<string, string> = {
    bare: "bare Fastify, one member by key",
    browse: "candidates from the deck",
    history: "chat history of 100 messages",
    one: "the mix, one process",
    two: "the mix, two processes",
  };
  const rows = [...outcomes].map(([name, outcome]) => rowOf(titles[name]!, outcome, bare));
  const head = [
    "what",
    "a second",
    "of bare",
    "p50 ms",
    "p95",
    "p99",
    "server ms a request",
    "database ms",
    "server cores",
    "database cores",
    "MB",
  ];
  const results = new Report("load", options.save);
  results.table("requests", head, rows);
  const [one, two] = [outcomes.get("one"), outcomes.get("two")];
  if (one && two) {
    const cellsOf = (ms: readonly number[]) =>
      [String(ms.length)].concat([0.5, 0.95, 0.99].map((share) => quantile(ms, share).toFixed(1)));
    const kinds = [...one.ms].map(([kind, ms]) =>
      [kind].concat(cellsOf(ms), cellsOf(two.ms.get(kind) ?? [])),
    );
    const ofEach = (name: string) =>
      ["times", "p50 ms", "p95 ms", "p99 ms"].map((head) => `${name}: ${head}`);
    results.table("the mix", ["request", ...ofEach("one"), ...ofEach("two")], kinds);
  }
  results.end(`${CONNECTIONS} connections, ${2 * PAIRS} members, ${SECONDS} s a row`);
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const [encryption, token] = [createKeys(), randomBytes(32).toString("base64")];
  const mailbox = await startMailbox();
  const variables = {
    DATA_DIR: dataDir,
    ...keyVariables(encryption),
    TOKEN_SECRET: token,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  };
  const servers: ServerProcess[] = [
    await startServer({
      ...variables,
      ...(options.prof && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.prof}` }),
    }),
  ];
  const database = databaseIn(dataDir);
  const postmaster = postmasterIn(dataDir);
  const db = new pg.Client({ connectionString: database });
  await db.connect();
  try {
    logProgress(`seeding ${2 * PAIRS} members`);
    const random = seededRandom(4);
    const pairs = await seedPairs(db, { encryption, token }, PAIRS, (member) => ({
      ...member,
      seeks: member.sex === "male" ? "female" : "male",
      minAge: 0,
      maxAge: 120,
      maxKm: 500,
      place: placeNear("tokyo", random, 9),
    }));
    await db.query(
      "insert into memberships (member_no, paid_until_hour, encrypted_paid_until) select member_no, now() + interval '1 year', '\\x00' from members",
    );
    const members = new Members(pairs, mailbox);
    await members.prepare(servers[0]!.url);
    pin(servers[0]!.pid, 0);

    const outcomes = new Map<string, Outcome>();
    const target = (): Target => ({
      urls: servers.map(({ url }) => url),
      pids: servers.map(({ pid }) => pid),
    });
    let signUps = 0;
    const drawMix = () => members.draw(() => servers[signUps++ % servers.length]!.url);
    const record = async (name: string, draw: () => [string, Operation]) => {
      logProgress(name);
      outcomes.set(name, await measure(target(), postmaster, draw));
    };
    logProgress("bare");
    outcomes.set("bare", await measureBare(database, postmaster));
    if (options.only !== "history") await record("browse", () => ["browse", members.browse]);
    if (options.only !== "browse") await record("history", () => ["read a chat", members.readHistory]);
    if (options.only === undefined) {
      await record("one", drawMix);
      servers.push(await startServer({ ...variables, DATABASE_URL: database }));
      pin(servers[1]!.pid, 1);
      await record("two", drawMix);
    }
    report(outcomes);
  } finally {
    await db.end();
    for (const server of servers.toReversed()) await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
process.exit();
