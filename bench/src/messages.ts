import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUp } from "@alcove/sandbox/client";
import { startMailbox } from "@alcove/sandbox/mail";
import { personOf } from "@alcove/sandbox/people";
import { startServer } from "@alcove/sandbox/server";
import { spread, table } from "./figures.ts";

/**
 * Messages through the whole server (HTTP, session, lock, seal, commit with fsync, bus, socket), beside a bare echo.
 *
 * Run: `npm run messages -w bench`. It starts a server with a database of its own, in a folder it removes.
 */

const PAIRS = 20;
const SECONDS = 8;
const RATES = [25, 50, 100];
const IN_FLIGHT = [1, 8, 32];
const WORDS = "See you on Thursday at seven, by the fountain. I bring the book.";

interface Couple {
  readonly from: SignedUp;
  readonly to: SignedUp;
}

interface Outcome {
  readonly perSecond: number;
  readonly arrivalsMs: number[];
  readonly answersMs: number[];
}

/** When each message was posted, by its text, until it arrives. */
const posted = new Map<string, number>();
let arrivals: number[] = [];
let messagesMade = 0;

function hear(data: unknown): void {
  const { dm } = JSON.parse(String(data)) as { dm?: { description: string } };
  const at = dm && posted.get(dm.description);
  if (at === undefined) return;
  posted.delete(dm!.description);
  arrivals.push(performance.now() - at);
}

async function send({ from, to }: Couple, answers: number[]): Promise<void> {
  const description = `${messagesMade++} ${WORDS}`;
  const start = performance.now();
  posted.set(description, start);
  await from.ask(sendDm, { receiverId: to.userId, description });
  answers.push(performance.now() - start);
}

/** Runs `load`, waits for the last arrival, and fails if one never came. */
async function measure(load: (answers: number[]) => Promise<void>): Promise<Outcome> {
  arrivals = [];
  const answers: number[] = [];
  const start = performance.now();
  await load(answers);
  const seconds = (performance.now() - start) / 1_000;
  for (let i = 0; posted.size > 0; i++) {
    if (i === 500) throw new Error(`${posted.size} messages were answered and never arrived`);
    await new Promise((done) => setTimeout(done, 10));
  }
  return { perSecond: answers.length / seconds, arrivalsMs: arrivals, answersMs: answers };
}

/** Posts at a fixed rate, whether the earlier ones were answered or not. */
function atRate(couples: readonly Couple[], perSecond: number): Promise<Outcome> {
  return measure(async (answers) => {
    const sent: Promise<void>[] = [];
    const start = performance.now();
    for (let i = 0; i < perSecond * SECONDS; i++) {
      const pauseMs = start + (i * 1_000) / perSecond - performance.now();
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      sent.push(send(couples[i % couples.length]!, answers));
    }
    await Promise.all(sent);
  });
}

/** Keeps so many posts in flight. */
function inFlight(couples: readonly Couple[], count: number): Promise<Outcome> {
  return measure(async (answers) => {
    const until = performance.now() + SECONDS * 1_000;
    const sender = async (first: number) => {
      for (let i = first; performance.now() < until; i += count)
        await send(couples[i % couples.length]!, answers);
    };
    await Promise.all(Array.from({ length: count }, (_, first) => sender(first)));
  });
}

async function opened(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  return socket;
}

/** The same text over bare sockets to another process and back, so many in flight. */
async function echo(count: number): Promise<{ perSecond: number; tripsMs: number[] }> {
  const child = fork(new URL("echo.ts", import.meta.url));
  const [port] = (await once(child, "message")) as [number];
  const tripsMs: number[] = [];
  const start = performance.now();
  const client = async () => {
    const socket = await opened(`ws://127.0.0.1:${port}`);
    while (performance.now() < start + SECONDS * 1_000) {
      const at = performance.now();
      socket.send(JSON.stringify({ dm: { description: `${messagesMade++} ${WORDS}` } }));
      const [{ data }] = (await once(socket, "message")) as [MessageEvent];
      JSON.parse(String(data));
      tripsMs.push(performance.now() - at);
    }
    socket.close();
  };
  await Promise.all(Array.from({ length: count }, client));
  const seconds = (performance.now() - start) / 1_000;
  child.disconnect();
  await once(child, "exit");
  return { perSecond: tripsMs.length / seconds, tripsMs };
}

async function makeCouples(
  url: string,
  mailbox: Awaited<ReturnType<typeof startMailbox>>,
): Promise<Couple[]> {
  const couples: Couple[] = [];
  for (let i = 0; i < PAIRS; i++) {
    const from = await signUp(url, mailbox, personOf(`her${i}`));
    const to = await signUp(url, mailbox, personOf(`him${i}`, { sex: "male" }));
    await from.ask(likeUser, { likedId: to.userId });
    await to.ask(likeUser, { likedId: from.userId });
    const socket = await opened(`${url.replace("http", "ws")}/ws/dm/${from.userId}?token=${to.access}`);
    socket.addEventListener("message", ({ data }) => hear(data));
    couples.push({ from, to });
  }
  return couples;
}

const row = (name: string, { perSecond, arrivalsMs, answersMs }: Outcome) => [
  name,
  perSecond.toFixed(0),
  ...spread(arrivalsMs),
  ...spread(answersMs),
];

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const mailbox = await startMailbox();
  const settings = { DATA_DIR: dataDir, SMTP_URL: mailbox.url, MAIL_FROM: "hello@alcove.example" };
  const server = await startServer({
    ...settings,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FREE_CARDS_PER_DAY: "1000",
    LOG_LEVEL: "warn",
  });
  try {
    const couples = await makeCouples(server.url, mailbox);
    await inFlight(couples, 8); // warms up
    const rows: string[][] = [];
    for (const rate of RATES) rows.push(row(`${rate} a second, ${PAIRS} pairs`, await atRate(couples, rate)));
    for (const count of IN_FLIGHT)
      rows.push(row(`${count} in flight, ${PAIRS} pairs`, await inFlight(couples, count)));
    rows.push(row("32 in flight, one pair", await inFlight(couples.slice(0, 1), 32)));
    const yardsticks: string[][] = [];
    for (const count of IN_FLIGHT) {
      const { perSecond, tripsMs } = await echo(count);
      yardsticks.push([`${count} in flight`, perSecond.toFixed(0), ...spread(tripsMs)]);
    }

    process.stdout.write(`${availableParallelism()} cores, Node ${process.version}\n\n`);
    const head = ["load", "a second", "arrival p50 ms", "p95", "p99", "answer p50 ms", "p95", "p99"];
    process.stdout.write(`${table(head, rows)}\n\n`);
    process.stdout.write(`${table(["bare echo", "a second", "p50 ms", "p95", "p99"], yardsticks)}\n`);
  } finally {
    await server.end();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
process.exit();
