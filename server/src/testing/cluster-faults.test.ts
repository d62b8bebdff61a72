import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { CLUSTER } from "./cluster-database.ts";
import { startLoad } from "./cluster-load.ts";
import { testService } from "./test-service.ts";

const PHASE_MS = 8_000;

/** Kills a node of `npm run citus`, which starts it again after some seconds. */
async function killNode(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: string }>("select pg_read_file('postmaster.pid') as pid");
  process.kill(Number.parseInt(rows[0]!.pid, 10), "SIGKILL");
  await client.end().catch(() => undefined);
}

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
