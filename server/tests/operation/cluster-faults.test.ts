import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { startLoad } from "../../src/testing/cluster-load.ts";
import { killNode } from "../../src/testing/cluster-nodes.ts";
import { testService } from "../../src/testing/test-service.ts";

const PHASE_MS = 8_000;

test.runIf(CLUSTER.length > 0)(
  "loses and doubles nothing while a worker, then the coordinator, is killed under load",
  async () => {
    const service = await testService();
    const load = await startLoad(service);

    for (const node of [CLUSTER.at(-1)!, CLUSTER[0]!]) {
      await pause(PHASE_MS);
      await killNode(node);
      await pause(2 * PHASE_MS);
    }
    await load.stop();

    expect(load.rejections()).toBeGreaterThan(0);
    await load.expectNothingLost();
  },
  300_000,
);
