import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveFilter } from "@alcove/contract/profiles";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { freezeNode } from "../../src/testing/cluster-nodes.ts";
import { serviceForTest } from "../../src/testing/match.ts";
import { CallError, eventually, type TestMember, type TestService } from "../../src/testing/test-service.ts";

const MEMBERS = 48;
/** A service of the tests has twelve connections. */
const FIRST_CALLS = 12;
const LOST_CALLS = 60;
const LIMIT_MS = 5_000;

/** Returns whether a row that each call of the member reads is on this node. */
async function isOn(url: string, { db }: TestService, { memberId }: TestMember): Promise<boolean> {
  const sessions = await db
    .selectFrom("sessions")
    .select("session_id as key")
    .where("member_no", "=", memberId)
    .execute();
  const logins = await db
    .selectFrom("logins")
    .select(sql<string>`user_id_digest::text`.as("key"))
    .where("member_no", "=", memberId)
    .execute();
  const { rows } = await sql`
    select from pg_dist_shard_placement
    where nodeport = ${Number(new URL(url).port)} and shardid in (
      get_shard_id_for_distribution_column('sessions', ${sessions[0]!.key}::text),
      get_shard_id_for_distribution_column('logins', ${logins[0]!.key}::text),
      get_shard_id_for_distribution_column('members', ${memberId}::int8))`.execute(db);
  return rows.length > 0;
}

async function timed(act: () => Promise<unknown>): Promise<{ code: string; ms: number }> {
  const startedAt = performance.now();
  const code = await act().then(
    () => "ok",
    (error: unknown) => (error instanceof CallError ? error.code : String(error)),
  );
  return { code, ms: performance.now() - startedAt };
}

const read = (member: TestMember) => timed(() => member.call(getOwnUser, {}));
const write = (member: TestMember) => timed(() => member.call(saveFilter, { search_min_age: 30 }));
const codesOf = (calls: readonly { code: string }[]) => [...new Set(calls.map(({ code }) => code))];

async function readAndWrite(members: readonly TestMember[]) {
  const calls = [];
  for (const member of members) calls.push(await read(member), await write(member));
  return calls;
}

test.runIf(CLUSTER.length > 0)(
  "serves the members of other nodes while a node is frozen, and all members afterwards",
  async () => {
    const service = await serviceForTest();
    const node = CLUSTER.at(-1)!;
    const names = Array.from({ length: MEMBERS }, (_, i) => `member${i}`);
    const members = await Promise.all(names.map((name) => service.member(name, { at: null })));
    const areThere = await Promise.all(members.map((member) => isOn(node, service, member)));
    const there = members.filter((_, i) => areThere[i]);
    const elsewhere = members.filter((_, i) => !areThere[i]);
    const expectReadiness = (status: number) =>
      eventually(async () => expect((await service.fetch("/readyz")).status).toBe(status));
    expect(codesOf(await readAndWrite(members))).toEqual(["ok"]);

    const frozen = await freezeNode(node);
    onTestFinished(frozen.thaw);
    await expectReadiness(503);
    const first = await Promise.all(there.slice(0, FIRST_CALLS).map(read));
    const rejecting = Promise.all(
      Array.from({ length: LOST_CALLS }, (_, i) => read(there[i % there.length]!)),
    );
    const served = await readAndWrite(elsewhere);
    const rejected = [...first, ...(await rejecting)];

    expect(served.length).toBeGreaterThan(4);
    expect(codesOf(served)).toEqual(["ok"]);
    expect(codesOf(rejected)).toEqual(["service_unavailable"]);
    expect(Math.max(...[...served, ...rejected].map(({ ms }) => ms))).toBeLessThan(LIMIT_MS);
    await expectReadiness(503);

    frozen.thaw();
    await expectReadiness(200);
    expect(codesOf(await readAndWrite(members))).toEqual(["ok"]);
  },
  120_000,
);
