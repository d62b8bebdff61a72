import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { CLUSTER } from "./cluster-database.ts";
import { match } from "./match.ts";
import { CallError, testService, type TestMember } from "./test-service.ts";

const PAIRS = 16;
const PHASE_MS = 8_000;
const RETRY_MS = 200;

/** Kills a node of `npm run citus`, which starts it again after some seconds. */
async function killNode(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: string }>("select pg_read_file('postmaster.pid') as pid");
  process.kill(Number.parseInt(rows[0]!.pid, 10), "SIGKILL");
  await client.end().catch(() => undefined);
}

/** Repeats a call until it is accepted. Counts the rejections; a member sees no other error than a 503. */
async function repeat(act: () => Promise<unknown>, rejections: string[]): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      rejections.push(`${error.status} ${error.code}`);
      await pause(RETRY_MS);
    }
  }
}

async function readAll(member: TestMember, friendId: string): Promise<string[]> {
  const texts: string[] = [];
  for (let lastId: string | undefined; ;) {
    const { dms } = await member.call(getDms, { friendId, ...(lastId && { lastId }) });
    if (dms.length === 0 || dms[0]!.id === lastId) return texts;
    lastId = dms[0]!.id;
    texts.unshift(...dms.map(({ description }) => description!));
  }
}

test.runIf(CLUSTER.length > 0)(
  "loses and doubles nothing while a worker, then the coordinator, is killed under load",
  async () => {
    const service = await testService();
    const pairs = await Promise.all(
      Array.from({ length: PAIRS }, async (_, i) => {
        const one = await service.member(`one${i}`, { paid: true });
        const other = await service.member(`other${i}`, { paid: true });
        await match(one, other);
        return { one, other, sent: [] as string[], liked: [] as number[] };
      }),
    );
    const targets = await Promise.all(
      Array.from({ length: 20 }, (_, i) => service.member(`target${i}`, { sex: "male" })),
    );
    const rejections: string[] = [];
    const end = new AbortController();
    const writing = pairs.map(async ({ one, other, sent, liked }) => {
      for (let n = 0; !end.signal.aborted; n++) {
        const message = { receiverId: other.user_id, description: `message ${n}`, clientId: randomUUID() };
        await repeat(() => {
          // An id of the same millisecond can be lower than the last one: such a message is stored alone.
          service.clock.set(new Date());
          return one.call(sendDm, message);
        }, rejections);
        sent.push(message.description);
        const target = n % 10 === 0 ? targets[n / 10] : undefined;
        if (!target) continue;
        await repeat(() => one.call(likeUser, { likedId: target.user_id }), rejections);
        liked.push(target.memberId);
      }
    });

    for (const node of [CLUSTER.at(-1)!, CLUSTER[0]!]) {
      await pause(PHASE_MS);
      await killNode(node);
      await pause(2 * PHASE_MS);
    }
    end.abort();
    await Promise.all(writing);

    expect(new Set(rejections)).toEqual(new Set(["503 service_unavailable"]));
    for (const { one, other, sent, liked } of pairs) {
      expect(await readAll(other, one.user_id)).toEqual(sent);
      const stored = await service.db
        .selectFrom("verdicts")
        .select("target")
        .where("actor", "=", one.memberId)
        .where("liked", "=", true)
        .execute();
      expect(stored.map(({ target }) => target)).toEqual(expect.arrayContaining(liked));
    }
    expect(pairs.every(({ sent }) => sent.length > 10)).toBe(true);
  },
  300_000,
);
