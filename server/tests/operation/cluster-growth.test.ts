import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startMailbox } from "@alcove/test-services/mail";
import { startPayPal } from "@alcove/test-services/paypal";
import { readRebalance } from "../../src/operator/cli/cluster/cluster.sql.ts";
import {
  CLUSTER,
  createEmptyCluster,
  createNodeDatabase,
  SPARE_NODE,
  superuserUrl,
} from "../../src/testing/cluster-database.ts";
import { type Load, startLoad } from "../../src/testing/cluster-load.ts";
import { serviceForTest } from "../../src/testing/match.ts";
import { environmentOf, operator } from "../../src/testing/operator.ts";
import { eventually, type TestService } from "../../src/testing/test-service.ts";

const AROUND_MS = 2_000;
const MINUTES_MS = 300_000;

interface Status {
  readonly nodes: readonly { readonly node: string; readonly shards: string }[];
  readonly missing: readonly unknown[];
}

async function run(service: TestService, ...args: string[]): Promise<Status> {
  const { code, out, problems } = await operator(environmentOf(service), "cluster", ...args, "--json");
  expect([code, problems]).toEqual([0, ""]);
  return JSON.parse(out) as Status;
}

async function start(databaseUrl?: string): Promise<{ service: TestService; load: Load }> {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const paypal = await startPayPal();
  onTestFinished(paypal.close);
  const options = { config: { paypal: paypal.account, smtpUrl: mailbox.url } };
  const service = await serviceForTest({ ...options, ...(databaseUrl && { databaseUrl }) });
  const load = await startLoad(service, { mailbox, paypal });
  await pause(AROUND_MS);
  return { service, load };
}

async function finish(service: TestService, load: Load): Promise<void> {
  await pause(AROUND_MS);
  await load.stop();
  await load.expectNothingLost();
  await eventually(
    async () => expect(await service.ctx.jobs.readQueue(service.db)).toMatchObject({ due: 0, failed: 0 }),
    30_000,
  );
}

const idsOfConnections = async ({ db }: TestService) => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'alcove'
      and backend_start < now() - interval '1 second'`.execute(db);
  return rows.map(({ pid }) => pid);
};

test.runIf(CLUSTER.length > 0)(
  "distributes the tables under load, and changes nothing when it is repeated",
  async () => {
    const { service, load } = await start(await createEmptyCluster());

    const distributed = await run(service, "distribute");
    await finish(service, load);

    expect(distributed.missing).toEqual([]);
    const { rows: copies } = await sql`
      select logicalrelid from pg_dist_partition where pg_relation_size(logicalrelid) > 0`.execute(
      service.db,
    );
    expect(copies).toEqual([]);
    const before = await idsOfConnections(service);
    expect(await run(service, "distribute")).toEqual(distributed);
    expect(await idsOfConnections(service)).toEqual(expect.arrayContaining(before));
  },
  MINUTES_MS,
);

test.runIf(CLUSTER.length > 0)(
  "moves shards to a new worker under load",
  async () => {
    const { service, load } = await start();
    const { host, hostname, port } = new URL(SPARE_NODE);
    const name = new URL(service.databaseUrl).pathname.slice(1);
    await createNodeDatabase(SPARE_NODE, name);

    await run({ ...service, databaseUrl: superuserUrl(CLUSTER[0]!, name) }, "add-worker", hostname, port);
    await run(service, "rebalance");
    await eventually(
      async () => expect(await readRebalance(service.db)).toMatchObject({ state: "finished" }),
      120_000,
    );
    await finish(service, load);

    const { nodes, missing } = await run(service, "status");
    expect(missing).toEqual([]);
    expect(Number(nodes.find(({ node }) => node === host)?.shards)).toBeGreaterThan(20);
  },
  MINUTES_MS,
);
