import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { ResponseOf } from "@alcove/contract";
import { getDms, type Dm } from "@alcove/contract/messaging";
import { createClient } from "./client.ts";
import { Device, type Owner } from "./device.ts";
import { pause, split, until } from "./waiting.ts";

export type Pair = readonly [Owner, Owner];

interface ChatsOptions {
  readonly pairs: readonly Pair[];
  readonly devicesEach: number;
  readonly pauseMs: readonly [min: number, max: number];
  readonly servers: readonly string[];
  readonly random: RandomGenerator;
}

export interface ChatFigures {
  readonly sent: number;
  readonly stored: number;
  readonly displayed: number;
  readonly sockets: number;
  readonly reopened: number;
  readonly resends: number;
  readonly duplicatePushes: number;
  readonly deliveriesMs: readonly number[];
  readonly problems: readonly string[];
}

const SETTLE_MS = 30_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Pairs whose devices write to each other. Compares sent, stored and displayed messages at the end. */
export class Chats {
  readonly #options: ChatsOptions;
  readonly #pairs: readonly (readonly Device[])[];

  constructor(options: ChatsOptions) {
    this.#options = options;
    this.#pairs = options.pairs.map((pair) => devicesOf(pair, options));
  }

  async connect(): Promise<void> {
    for (const device of this.#devices()) void device.open();
    if (!(await until(() => this.#devices().every(({ isLive }) => isLive), SETTLE_MS)))
      throw new Error("not all devices connected");
  }

  async writeUntil(end: number): Promise<void> {
    const { pauseMs, random } = this.#options;
    const writers = this.#devices().map((device, index) =>
      writeUntil(end, device, index, pauseMs, split(random)),
    );
    await Promise.all(writers);
  }

  async finish(): Promise<ChatFigures> {
    const devices = this.#devices();
    const isSettled = await until(
      () => devices.every((device) => device.isIdle() && device.isLive),
      SETTLE_MS,
    );
    const stored = await Promise.all(
      this.#options.pairs.map(([her, him]) => readAllDms(this.#options.servers[0]!, her, him.userId)),
    );
    await until(
      () => this.#pairs.every((each, i) => each.every((device) => displaysAll(device, stored[i]!))),
      SETTLE_MS,
    );

    const problems = isSettled
      ? []
      : ["not all messages were acknowledged, or not all devices were connected in time"];
    this.#pairs.forEach((each, i) => problems.push(...problemsOf(each, stored[i]!)));
    for (const device of devices) device.close();
    const sum = (of: (device: Device) => number) => devices.reduce((total, device) => total + of(device), 0);
    return {
      sent: sum(({ acknowledged }) => acknowledged.length),
      stored: stored.flat().length,
      displayed: sum((device) => device.displayed().length),
      sockets: devices.length,
      reopened: sum(({ opened }) => opened - 1),
      resends: sum(({ resends }) => resends),
      duplicatePushes: sum(({ duplicatePushes }) => duplicatePushes),
      deliveriesMs: devices.flatMap(({ deliveriesMs }) => deliveriesMs),
      problems,
    };
  }

  #devices(): Device[] {
    return this.#pairs.flat();
  }
}

function devicesOf([her, him]: Pair, { devicesEach, servers, random }: ChatsOptions): Device[] {
  const of = (owner: Owner, friendId: string) =>
    Array.from(
      { length: devicesEach },
      () => new Device({ owner, friendId, servers, random: split(random) }),
    );
  return [...of(her, him.userId), ...of(him, her.userId)];
}

async function writeUntil(
  end: number,
  device: Device,
  index: number,
  [min, max]: ChatsOptions["pauseMs"],
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

export async function readAllDms(url: string, { access }: Owner, friendId: string): Promise<Dm[]> {
  const stored: Dm[] = [];
  for (let hasMore = true; hasMore;) {
    const afterId = stored.at(-1)?.id ?? FIRST_ID;
    const page: ResponseOf<typeof getDms> = await createClient(url, access).call(getDms, {
      friendId,
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
