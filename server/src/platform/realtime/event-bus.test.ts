import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { startNetworkProxy, type NetworkProxy } from "@alcove/test-services/network-proxy";
import { startNats, type NatsServer } from "@alcove/test-services/nats";
import { NatsTransport } from "../../integrations/nats/nats-transport.ts";
import { EventBusUnreachableError, type EventTransport, packEnvelopes } from "./envelopes.ts";
import { EventBus } from "./event-bus.ts";
import { PostgresTransport } from "./postgres-transport.ts";
import { openLog } from "../log.ts";
import type { BusEvents } from "../../registry.ts";

const log = openLog("silent");
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.close());

/** A process of a deployment, with its own connection to the bus. */
interface Process {
  readonly eventBus: EventBus;
  readonly line: NetworkProxy;
  /** Numbers of the received events, in order. */
  readonly received: number[];
  missedCount(): number;
}

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

const publishAndFlush = ({ eventBus }: { eventBus: EventBus }, no: number) =>
  eventBus.withFlush(async () => eventBus.publish("member_ended", { memberId: no }));

type Adapter = (url: string, deployment: string) => { transport: EventTransport; end?: () => Promise<void> };

const adapters: [string, { url: () => string; make: Adapter }][] = [
  [
    "PostgreSQL",
    {
      url: () => inject("postgresUrl"),
      make(url) {
        const pool = new pg.Pool({ connectionString: url, max: 2 });
        pool.on("error", () => undefined);
        return { transport: new PostgresTransport(pool, url, log), end: () => pool.end() };
      },
    },
  ],
  [
    "NATS",
    {
      url: () => nats.url,
      make: (url, deployment) => ({ transport: new NatsTransport(url, `alcove.events.${deployment}`, log) }),
    },
  ],
];

describe.each(adapters)("over %s", (_, { url: serverUrl, make }) => {
  const deployment = randomUUID();

  async function open(): Promise<Process> {
    const line = await startNetworkProxy(serverUrl());
    const { transport, end } = make(line.url, deployment);
    const eventBus = new EventBus(transport, log);
    let missedCount = 0;
    const received: number[] = [];
    eventBus.onMissedEvents(() => void missedCount++);
    eventBus.subscribe("member_ended", ({ memberId: no }) => void received.push(no));
    await eventBus.open();
    closes.push(async () => {
      await eventBus.close();
      await end?.();
      await line.close();
    });
    return { eventBus, line, received, missedCount: () => missedCount };
  }
  const isUp = ({ eventBus }: Process) => eventually(() => expect(eventBus.isUp()).toBe(true));
  const isDown = ({ eventBus }: Process) => eventually(() => expect(eventBus.isUp()).toBe(false));

  test("delivers each event once and in order to every process, also the publishing one", async () => {
    const [here, there, elsewhere] = [await open(), await open(), await open()];
    const numbers = Array.from({ length: 2_000 }, (__, no) => no);

    for (const no of numbers) here.eventBus.publish("member_ended", { memberId: no });
    expect(here.received).toEqual(numbers);

    for (const { received } of [there, elsewhere]) await eventually(() => expect(received).toEqual(numbers));
    expect(here.received).toHaveLength(2_000);
    expect([here.missedCount(), there.missedCount()]).toEqual([0, 0]);
  });

  test("delivers events of every kind, with any characters and in batches of any size, unchanged", async () => {
    const [here, there] = [await open(), await open()];
    const published: [keyof BusEvents, unknown][] = [
      ["session_ended", { session: "0197c0de-0000-7000-8000-000000000000", memberId: 1 }],
      ["member_ended", { memberId: 1 }],
      ["message_sent", { low: 1, high: 2, id: "b", previousId: "a" }],
      ["message_sent", { low: 1, high: 9_007_199_254_740_991, id: "b", previousId: null }],
      ["matched", { a: 1, b: 2 }],
      ["match_ended", { memberId: 1, otherMemberId: 2, otherUserId: "花子 🦊 \"'\\\u0000\r\n" }],
      ...Array.from({ length: 300 }, (__, i): [keyof BusEvents, unknown] => [
        "session_ended",
        { session: `${i} ${"é".repeat(i * 12)}` },
      ]),
    ];
    const received: [string, unknown][] = [];
    for (const kind of new Set(published.map(([each]) => each)))
      there.eventBus.subscribe(kind, (event: unknown) => void received.push([kind, event]));

    for (const [kind, event] of published) here.eventBus.publish(kind, event as never);

    await eventually(() => expect(received).toEqual(published));
    expect(there.missedCount()).toBe(0);
  });

  test("reports missed events to other processes when an event is too large, and delivers the rest", async () => {
    const [here, there] = [await open(), await open()];

    here.eventBus.publish("session_ended", { session: "x".repeat(400_000), memberId: 1 });
    here.eventBus.publish("member_ended", { memberId: 7 });

    await eventually(() => expect(there.received).toEqual([7]));
    expect(there.missedCount()).toBe(1);
  });

  test("has sent a task's events when the task ends, also when it throws or the process dies", async () => {
    const there = await open();
    for (let no = 0; no < 20; no++) {
      const here = await open();

      const withFlush = here.eventBus.withFlush(async () => {
        here.eventBus.publish("member_ended", { memberId: no });
        // Every other time the batch is already being sent.
        if (no % 2) await new Promise((done) => setTimeout(done, 4));
        if (no % 3 === 0) throw new Error("failed");
      });
      await withFlush.catch(() => undefined);
      here.line.cut();
    }

    await eventually(() => expect(there.received).toHaveLength(20));
  });

  test("reconnects and reports missed events when the connection was lost", async () => {
    const [here, there] = [await open(), await open()];

    here.line.cut();
    await isDown(here);
    there.eventBus.publish("member_ended", { memberId: 6 }); // lost for `here`
    here.line.mend();
    await isUp(here);
    await eventually(() => expect(here.missedCount()).toBe(1));
    there.eventBus.publish("member_ended", { memberId: 7 });

    await eventually(() => expect(here.received.at(-1)).toBe(7));
    expect(there.missedCount()).toBe(0);
  });

  test("sends events in order after an outage of the bus, and delays no task during it", async () => {
    const [here, there] = [await open(), await open()];
    here.line.cut();
    await isDown(here);
    await publishAndFlush(here, 0);

    const began = performance.now();
    for (let no = 1; no < 50; no++) await publishAndFlush(here, no);
    expect(performance.now() - began).toBeLessThan(10_000);
    here.line.mend();

    await eventually(() =>
      expect([...new Set(there.received)]).toEqual(Array.from({ length: 50 }, (__, no) => no)),
    );
    expect(there.missedCount()).toBe(0);
  });

  test("reports missed events to other processes when too many events wait during an outage", async () => {
    const [here, there] = [await open(), await open()];
    here.line.cut();
    await isDown(here);

    for (let no = 0; no < 12_000; no++) here.eventBus.publish("member_ended", { memberId: no });
    await eventually(async () => {
      await publishAndFlush(here, -1);
      expect(there.received).toEqual([]);
    });
    here.line.mend();

    await eventually(() => expect(there.missedCount()).toBe(1));
    here.eventBus.publish("member_ended", { memberId: -2 });
    await eventually(() => expect(there.received.at(-1)).toBe(-2));
  });

  test("closes while the bus is down", async () => {
    const here = await open();
    here.line.cut();
    await isDown(here);
    here.eventBus.publish("member_ended", { memberId: 1 });

    await here.eventBus.close();

    expect(here.eventBus.isUp()).toBe(false);
  });

  test("throws at the start when the bus cannot be reached", async () => {
    const line = await startNetworkProxy(serverUrl());
    line.cut();
    const { transport, end } = make(line.url, deployment);
    closes.push(async () => {
      await transport.close();
      await end?.();
      await line.close();
    });

    await expect(new EventBus(transport, log).open()).rejects.toThrow();
  });

  test("delivers other events when a subscriber throws", async () => {
    const { eventBus, received } = await open();
    eventBus.subscribe("member_ended", async () => Promise.reject(new Error("cannot")));

    eventBus.publish("member_ended", { memberId: 1 });

    expect(received).toEqual([1]);
  });
});

async function openNats(
  url: string,
  subject = "alcove.events.x",
): Promise<{ eventBus: EventBus; received: number[]; missedCount(): number }> {
  const eventBus = new EventBus(new NatsTransport(url, subject, log), log);
  const received: number[] = [];
  let missedCount = 0;
  eventBus.subscribe("member_ended", ({ memberId: no }) => void received.push(no));
  eventBus.onMissedEvents(() => void missedCount++);
  await eventBus.open();
  closes.push(() => eventBus.close());
  return { eventBus, received, missedCount: () => missedCount };
}

async function ownNats(options: Parameters<typeof startNats>[0] = {}): Promise<NatsServer> {
  const server = await startNats(options);
  closes.push(() => server.close());
  return server;
}

test("separates deployments that share a NATS server", async () => {
  const [first, second, other] = [
    await openNats(nats.url, "alcove.events.ours"),
    await openNats(nats.url, "alcove.events.ours"),
    await openNats(nats.url, "alcove.events.theirs"),
  ];

  await publishAndFlush(other, 1);
  first.eventBus.publish("member_ended", { memberId: 2 });

  await eventually(() => expect(second.received).toEqual([2]));
  expect(other.received).toEqual([1]);
});

test.each(["alcove:s3same!", "a-token-alone"])(
  "sends %s from the URL when the NATS server requires it",
  async (credentials) => {
    const server = await ownNats({ credentials: credentials.replace("!", "") });
    const [here, there] = [await openNats(server.url), await openNats(server.url)];

    here.eventBus.publish("member_ended", { memberId: 1 });

    await eventually(() => expect(there.received).toEqual([1]));
    await expectUnreachable(server.url.replace(/\/\/.*@/, "//nobody:wrong@"));
  },
);

test("requires an encrypted connection to a trusted server with `tls:`", async () => {
  const secure = await ownNats({ tls: true });

  for (const url of [nats.url.replace("nats:", "tls:"), secure.url]) await expectUnreachable(url);
});

/** The client repeats a rejected login until the time is over. */
async function expectUnreachable(url: string): Promise<void> {
  const transport = new NatsTransport(url, "alcove.events.x", log, 500);
  const opening = transport.open(
    () => undefined,
    () => undefined,
  );
  await expect(opening).rejects.toThrow(EventBusUnreachableError);
}

test("reports missed events and delivers waiting ones when a killed NATS server is back", async () => {
  const server = await ownNats();
  const [here, there] = [await openNats(server.url), await openNats(server.url)];

  await server.kill();
  await eventually(() => expect([here.eventBus.isUp(), there.eventBus.isUp()]).toEqual([false, false]));
  here.eventBus.publish("member_ended", { memberId: 1 });
  await server.restart();

  await eventually(() => expect([here.missedCount(), there.missedCount()]).toEqual([1, 1]));
  here.eventBus.publish("member_ended", { memberId: 2 });
  await eventually(() => expect(there.received.at(-1)).toBe(2));
});

test("delays the first task by at most a second and later ones not at all when NATS does not respond", async () => {
  const server = await ownNats();
  const [here, there] = [await openNats(server.url), await openNats(server.url)];
  server.pause();
  const began = performance.now();

  for (let no = 1; no <= 20; no++) await publishAndFlush(here, no);

  // Twenty delays would take twenty seconds.
  expect(performance.now() - began).toBeLessThan(8_000);
  server.resume();
  await eventually(() => expect(there.received).toContain(1));
});

test("packs envelopes up to the exact byte limit", () => {
  const envelopes = Array.from({ length: 500 }, (_, i) => ({
    kind: "session_ended" as const,
    event: { session: "é".repeat(i % 40) },
  }));

  const packs = packEnvelopes(envelopes, 1_000);

  expect(packs.flatMap((pack) => JSON.parse(pack) as unknown[])).toEqual(envelopes);
  for (const pack of packs) expect(Buffer.byteLength(pack)).toBeLessThanOrEqual(1_000);
  expect(packs.length).toBeLessThan(60);
});
