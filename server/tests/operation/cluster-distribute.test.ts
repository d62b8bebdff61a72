import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startMailbox } from "@alcove/test-services/mail";
import { startPayPal } from "@alcove/test-services/paypal";
import { CLUSTER, createEmptyCluster } from "../../src/testing/cluster-database.ts";
import { startLoad } from "../../src/testing/cluster-load.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { environmentOf, operator } from "../../src/testing/operator.ts";
import { eventually, type TestService } from "../../src/testing/test-service.ts";

const AROUND_MS = 2_000;
const MINUTES_MS = 300_000;

async function distribute(service: TestService): Promise<{ missing: readonly unknown[] }> {
  const { code, out, problems } = await operator(environmentOf(service), "cluster", "distribute", "--json");
  expect([code, problems]).toEqual([0, ""]);
  return JSON.parse(out) as { missing: readonly unknown[] };
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
    const mailbox = await startMailbox();
    onTestFinished(mailbox.close);
    const paypal = await startPayPal();
    onTestFinished(paypal.close);
    const service = await serviceForTest({
      config: { paypal: paypal.account, smtpUrl: mailbox.url },
      databaseUrl: await createEmptyCluster(),
    });
    const load = await startLoad(service, { mailbox, paypal });
    await pause(AROUND_MS);

    const distributed = await distribute(service);

    await pause(AROUND_MS);
    await load.stop();
    await load.expectNothingLost();
    await eventually(
      async () => expect(await service.ctx.jobs.readQueue(service.db)).toMatchObject({ due: 0, failed: 0 }),
      30_000,
    );

    expect(distributed.missing).toEqual([]);
    const { rows: copies } = await sql`
      select logicalrelid from pg_dist_partition where pg_relation_size(logicalrelid) > 0`.execute(
      service.db,
    );
    expect(copies).toEqual([]);
    const before = await idsOfConnections(service);
    expect(await distribute(service)).toEqual(distributed);
    expect(await idsOfConnections(service)).toEqual(expect.arrayContaining(before));
  },
  MINUTES_MS,
);
