import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveFilter } from "@alcove/contract/profiles";
import { readEncryptedUserId } from "../../src/members/user-ids.sql.ts";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { startLoad } from "../../src/testing/cluster-load.ts";
import { CallError, eventually, testService, type TestMember } from "../../src/testing/test-service.ts";

const PHASE_MS = 8_000;
const MEMBERS = 24;

/** Kills a node of `npm run citus`, which starts it again after some seconds. */
async function killNode(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: string }>("select pg_read_file('postmaster.pid') as pid");
  await client.end();
  process.kill(Number.parseInt(rows[0]!.pid, 10), "SIGKILL");
}

/** Returns the code of the error, or "ok". */
async function readAndWrite(member: TestMember): Promise<string> {
  try {
    await member.call(saveFilter, { search_min_age: 30 });
    await member.call(getOwnUser, {});
    return "ok";
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}

test.runIf(CLUSTER.length > 0)(
  "fails the members of a worker that is down with 503, serves the others, and all when it is back",
  async () => {
    const service = await testService();
    const names = Array.from({ length: MEMBERS }, (_, i) => `member${i}`);
    const members = await Promise.all(names.map((name) => service.member(name, { at: null })));
    const worker = CLUSTER.at(-1)!;
    const ids = members.map(({ memberId }) => memberId);
    const { rows } = await sql<{ id: number }>`
      select id from unnest(${ids}::int8[]) id
      where get_shard_id_for_distribution_column('members', id) in (
        select shardid from pg_dist_shard_placement where nodeport = ${Number(new URL(worker).port)})`.execute(
      service.db,
    );
    const held = new Set(rows.map(({ id }) => id));
    const codesOf = (outcomes: readonly (readonly [isHeld: boolean, code: string])[], isHeld: boolean) =>
      new Set(outcomes.filter(([other]) => other === isHeld).map(([, code]) => code));
    const callAll = async () => {
      const outcomes = await Promise.all(
        members.map(async (member) => [held.has(member.memberId), await readAndWrite(member)] as const),
      );
      return { there: codesOf(outcomes, true), elsewhere: codesOf(outcomes, false) };
    };
    const served = new Set(["ok"]);
    expect(await callAll()).toEqual({ there: served, elsewhere: served });

    await killNode(worker);
    expect(await callAll()).toEqual({ there: new Set(["service_unavailable"]), elsewhere: served });
    // At once, so that lookups of both share a statement.
    const lookups = await Promise.allSettled(ids.map((id) => readEncryptedUserId(service.db, id)));
    expect(lookups.map(({ status }) => status)).toEqual(
      ids.map((id) => (held.has(id) ? "rejected" : "fulfilled")),
    );

    await eventually(
      async () => expect(await callAll()).toEqual({ there: served, elsewhere: served }),
      30_000,
    );
  },
  120_000,
);

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
