import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { ResponseOf } from "@alcove/contract";
import { getDms, type Dm } from "@alcove/contract/messaging";
import { createClient } from "./client.ts";
import { Device, type Owner } from "./device.ts";
import type { ServerProcess } from "./server.ts";

export type Pair = readonly [Owner, Owner];

export interface Soak {
  readonly pairs: readonly Pair[];
  readonly devicesEach: number;
  readonly seconds: number;
  readonly pauseMs: readonly [min: number, max: number];
  /** From the last restart to the next kill. */
  readonly killEveryMs: readonly [min: number, max: number];
  readonly seed: number;
  /** Starts a server on the shared database. */
  start(port?: string): Promise<ServerProcess>;
  log?(line: string): void;
}

export interface Figures {
  readonly sent: number;
  readonly stored: number;
  /** By all devices together. */
  readonly displayed: number;
  readonly sockets: number;
  readonly kills: number;
  readonly stops: number;
  readonly reopened: number;
  readonly resends: number;
  readonly sentOverSocket: number;
  readonly duplicatePushes: number;
  readonly deliveriesMs: readonly number[];
  /** Empty on success. */
  readonly problems: readonly string[];
}

/** The time limit for the last deliveries. */
const SETTLE_MS = 30_000;

/**
 * Devices chat through two servers, which are killed and restarted alternately at random times. Then compares sent,
 * stored and displayed messages.
 */
export async function soak(options: Soak): Promise<Figures> {
  const random = mersenne(options.seed);
  const servers = [await options.start(), await options.start()];
  try {
    const urls = servers.map(({ url }) => url);
    const pairs = options.pairs.map((pair) => devicesOf(pair, options.devicesEach, urls, random));
    const devices = pairs.flat();
    for (const device of devices) void device.open();
    if (!(await until(() => devices.every(({ isLive }) => isLive), SETTLE_MS)))
      throw new Error("not all devices connected");

    const end = performance.now() + options.seconds * 1_000;
    const writers = devices.map((device, index) =>
      writeUntil(end, device, index, options.pauseMs, split(random)),
    );
    const ends = await killUntil(end, servers, options, split(random));
    await Promise.all(writers);
    const isSettled = await until(
      () => devices.every((device) => device.isIdle() && device.isLive),
      SETTLE_MS,
    );
    const stored = await Promise.all(options.pairs.map((pair) => readAll(urls[0]!, pair)));
    await until(
      () => pairs.every((each, i) => each.every((device) => displaysAll(device, stored[i]!))),
      SETTLE_MS,
    );

    const problems = isSettled
      ? []
      : ["not all messages were acknowledged, or not all devices were connected in time"];
    pairs.forEach((each, i) => problems.push(...problemsOf(each, stored[i]!)));
    for (const device of devices) device.close();
    const sum = (of: (device: Device) => number) => devices.reduce((total, device) => total + of(device), 0);
    const sentOverSocket = sum((device) => device.sentOverSocket);
    if (sentOverSocket === 0) problems.push("nothing was sent over a socket");
    return {
      sent: sum(({ acknowledged }) => acknowledged.length),
      stored: stored.flat().length,
      displayed: sum((device) => device.displayed().length),
      sockets: devices.length,
      ...ends,
      reopened: sum(({ opened }) => opened - 1),
      resends: sum(({ resends }) => resends),
      sentOverSocket,
      duplicatePushes: sum(({ duplicatePushes }) => duplicatePushes),
      deliveriesMs: devices.flatMap(({ deliveriesMs }) => deliveriesMs),
      problems,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop("SIGKILL")));
  }
}

function devicesOf(
  [her, him]: Pair,
  count: number,
  servers: readonly string[],
  random: RandomGenerator,
): Device[] {
  const of = (owner: Owner, friendId: string) =>
    Array.from({ length: count }, () => new Device({ owner, friendId, servers, random: split(random) }));
  return [...of(her, him.userId), ...of(him, her.userId)];
}

/** Texts are the number of the device and of the message. */
async function writeUntil(
  end: number,
  device: Device,
  index: number,
  [min, max]: Soak["pauseMs"],
  random: RandomGenerator,
): Promise<void> {
  for (let i = 0; ; i++) {
    await pause(uniformInt(random, min, max));
    if (performance.now() > end) return;
    // A device with many unacknowledged messages waits.
    if (!device.isIdle()) await until(() => device.isIdle(), SETTLE_MS);
    device.write(`${index} ${i}`);
  }
}

/** Ends the servers alternately, never both; one in five gets SIGTERM. */
async function killUntil(
  end: number,
  servers: ServerProcess[],
  { killEveryMs: [min, max], start, log }: Soak,
  random: RandomGenerator,
): Promise<{ kills: number; stops: number }> {
  const ends = { kills: 0, stops: 0 };
  for (;;) {
    await pause(uniformInt(random, min, max));
    if (performance.now() > end) return ends;
    const index = uniformInt(random, 0, 1);
    const server = servers[index]!;
    const isStop = uniformInt(random, 1, 5) === 1;
    await server.stop(isStop ? "SIGTERM" : "SIGKILL");
    ends[isStop ? "stops" : "kills"]++;
    await pause(uniformInt(random, 0, 1_000));
    servers[index] = await start(new URL(server.url).port);
    log?.(`${isStop ? "stopped" : "killed"} server ${index + 1}; ${ends.kills} kills, ${ends.stops} stops`);
  }
}

async function readAll(url: string, [her, him]: Pair): Promise<Dm[]> {
  const stored: Dm[] = [];
  for (let hasMore = true; hasMore;) {
    const afterId = stored.at(-1)?.id ?? "00000000-0000-0000-0000-000000000000";
    const page: ResponseOf<typeof getDms> = await createClient(url, her.access).call(getDms, {
      friendId: him.userId,
      afterId,
    });
    stored.push(...page.dms);
    hasMore = page.has_more;
  }
  return stored;
}

const displaysAll = (device: Device, stored: readonly Dm[]): boolean =>
  device.displayed().length === stored.length;

/** Sent, stored and displayed messages must be equal and in one order on every device. */
function problemsOf(devices: readonly Device[], stored: readonly Dm[]): string[] {
  const problems = devices.flatMap(({ errors }) => errors);
  const name = `${devices[0]!.owner.userId}'s conversation`;
  const texts = stored.map(({ description }) => String(description));
  if (new Set(texts).size < texts.length) problems.push(`${name}: a message is stored twice`);

  for (const { acknowledged } of devices) {
    const sent = acknowledged.map(({ id }) => id);
    const order = stored.filter(({ id }) => sent.includes(id)).map(({ id }) => id);
    if (order.length < sent.length)
      problems.push(`${name}: ${sent.length - order.length} acknowledged and not stored`);
    else if (order.join() !== sent.join()) problems.push(`${name}: not stored in the order of writing`);
  }
  const sentInAll = devices.reduce((total, { acknowledged }) => total + acknowledged.length, 0);
  if (sentInAll < stored.length)
    problems.push(`${name}: ${stored.length - sentInAll} stored and never acknowledged`);

  const ids = stored.map(({ id }) => id);
  devices.forEach((device, i) => {
    const displayed = device.displayed().map(({ id }) => id);
    const missing = ids.filter((id) => !displayed.includes(id));
    if (missing.length > 0) problems.push(`${name}: device ${i} lacks ${missing.length}`);
    else if (displayed.join() !== ids.join())
      problems.push(`${name}: device ${i} displays a message that is not stored`);
  });
  return problems;
}

/** Independent, so that calls on one do not change the values of the other. */
function split(random: RandomGenerator): RandomGenerator {
  return mersenne(random.next());
}

async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms));
}

/** Returns false after the timeout. */
async function until(holds: () => boolean, atMostMs: number): Promise<boolean> {
  const end = performance.now() + atMostMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await pause(20);
  }
  return true;
}
