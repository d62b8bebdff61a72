import { CHATS } from "./chats.ts";
import type { ChatName, Pair, ClientReply, ClientOrder } from "./chat.ts";

// The clients of `messages.ts` in a child process: `node socket-clients.ts CHAT URL`.

const TEXT = "See you on Thursday at seven, by the fountain. I bring the book.";
const CONCURRENT_OPENS = 16;
const DELIVERY_TIMEOUT_MS = 10_000;

const [name, url] = process.argv.slice(2) as [ChatName, string];
const chat = CHATS[name](url);
const pairs: Pair[] = [];
/** Pending messages: the time of sending by text. */
const sent = new Map<string, number>();
let deliveriesMs: number[] = [];
let created = 0;

function recordDelivery(text: string): void {
  const at = sent.get(text);
  if (at === undefined) return;
  sent.delete(text);
  deliveriesMs.push(performance.now() - at);
}

/** Sends each pair's first message, so that only existing conversations are measured. */
async function openAll(some: readonly Pair[]): Promise<void> {
  await forEach(some.flat(), (party) => chat.open(party, recordDelivery));
  await forEach(some, (pair) => chat.send(...pair, `${process.pid} first ${created++}`));
  pairs.push(...some);
}

async function forEach<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const actor = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: CONCURRENT_OPENS }, actor));
}

async function send(): Promise<void> {
  const number = created++;
  const pair = pairs[number % pairs.length]!;
  const isBack = Math.floor(number / pairs.length) % 2 === 1;
  const text = `${process.pid} ${number} ${TEXT}`;
  sent.set(text, performance.now());
  await chat.send(pair[isBack ? 1 : 0], pair[isBack ? 0 : 1], text);
}

async function keepInFlight(count: number, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  const sender = async () => {
    while (performance.now() < until) await send();
  };
  await Promise.all(Array.from({ length: count }, sender));
}

/** Sends at a fixed rate, without waiting for acknowledgements. */
async function keepRate(perSecond: number, seconds: number): Promise<void> {
  const start = performance.now();
  const all: Promise<void>[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    const pauseMs = start + (i * 1_000) / perSecond - performance.now();
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
    all.push(send());
  }
  await Promise.all(all);
}

/** Throws if an acknowledged message is never delivered. */
async function execute(order: ClientOrder): Promise<ClientReply> {
  deliveriesMs = [];
  const start = performance.now();
  if ("open" in order) await openAll(order.open);
  else if ("inFlight" in order) await keepInFlight(order.inFlight, order.seconds);
  else await keepRate(order.perSecond, order.seconds);
  const acknowledged = performance.now();
  while (sent.size > 0) {
    if (performance.now() - acknowledged > DELIVERY_TIMEOUT_MS) {
      throw new Error(`${sent.size} messages were acknowledged and never delivered`);
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  return { deliveriesMs, seconds: (performance.now() - start) / 1_000 };
}

process.on("message", (order: ClientOrder) => void execute(order).then((reply) => process.send!(reply)));
process.on("unhandledRejection", (error) => {
  console.error(error);
  process.exit(1);
});
process.on("disconnect", () => process.exit());
