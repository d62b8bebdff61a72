import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startNats, type NatsServer } from "@alcove/test-services/nats";
import type { Pair } from "@alcove/test-services/chats";
import { startServer } from "@alcove/test-services/server";
import { soak } from "@alcove/test-services/soak";
import { match, serviceForTest } from "../../src/testing/match.ts";

vi.setConfig({ testTimeout: 180_000 });

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.close());

const BUSES: [string, () => Record<string, string>][] = [
  ["LISTEN and NOTIFY", () => ({})],
  ["NATS", () => ({ NATS_URL: nats.url })],
];

async function soakOver(
  bus: Record<string, string>,
  pairCount: number,
  rhythm: Pick<Parameters<typeof soak>[0], "devicesEach" | "seconds" | "pauseMs" | "killEveryMs">,
) {
  const { databaseUrl, dataDir, member } = await serviceForTest();
  const pairs: Pair[] = [];
  for (let i = 0; i < pairCount; i++) {
    const [her, him] = [await member(`her${i}`, { paid: true }), await member(`him${i}`, { paid: true })];
    await match(her, him);
    pairs.push([
      { userId: her.user_id, access: her.access },
      { userId: him.user_id, access: him.access },
    ]);
  }
  const variables = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    ...bus,
  };
  const seed = Math.floor(Math.random() * 2 ** 31);
  const figures = await soak({
    pairs,
    seed,
    ...rhythm,
    start: (PORT = "0") => startServer({ ...variables, PORT }),
  });
  expect({ seed, problems: figures.problems }).toEqual({ seed, problems: [] });
  return figures;
}

test.each(BUSES)(
  "stores and displays every message once and in order over %s while servers are killed",
  async (_, bus) => {
    const { sockets, sent, stored, displayed, kills, stops } = await soakOver(bus(), 10, {
      devicesEach: 3,
      seconds: 15,
      pauseMs: [1_000, 8_000],
      killEveryMs: [1_000, 4_000],
    });

    expect(sockets).toBe(60);
    expect(kills + stops).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(60);
    expect({ stored, displayed }).toEqual({ stored: sent, displayed: sent * 6 });
  },
);

test.each(BUSES)(
  "loses no message over %s when a server is killed with messages in flight",
  async (_, bus) => {
    const { sent, stored, displayed, kills, stops } = await soakOver(bus(), 6, {
      devicesEach: 1,
      seconds: 8,
      pauseMs: [0, 20],
      killEveryMs: [300, 1_500],
    });

    expect(kills + stops).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(60);
    expect({ stored, displayed }).toEqual({ stored: sent, displayed: sent * 2 });
  },
);
