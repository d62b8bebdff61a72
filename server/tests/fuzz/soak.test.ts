// @module-tag long
import { expect, test } from "vitest";
import type { Pair } from "@alcove/test-services/chats";
import { startServer } from "@alcove/test-services/server";
import { soak } from "@alcove/test-services/soak";
import { match } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";

const PAIRS = 6;

/** `npm run soak` runs ten minutes with more devices, and over NATS. */
test("stores and displays every message once and in order while servers are killed with messages in flight", async () => {
  const { databaseUrl, dataDir, member } = await serviceForTest();
  const pairs: Pair[] = [];
  for (let i = 0; i < PAIRS; i++) {
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
  };
  const seed = Math.floor(Math.random() * 2 ** 31);

  const { problems, sent, stored, displayed, kills, stops } = await soak({
    pairs,
    seed,
    devicesEach: 2,
    seconds: 4,
    pauseMs: [0, 20],
    killEveryMs: [300, 1_500],
    start: (PORT = "0") => startServer({ ...variables, PORT }),
  });

  expect({ seed, problems }).toEqual({ seed, problems: [] });
  expect(kills + stops).toBeGreaterThan(0);
  expect(sent).toBeGreaterThan(60);
  expect({ stored, displayed }).toEqual({ stored: sent, displayed: sent * 4 });
}, 180_000);
