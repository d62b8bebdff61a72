import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { sendDm, type Dm } from "@alcove/contract/messaging";
import { startServer } from "@alcove/test-services/server";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { readAllMessages } from "../testing/read-all-messages.ts";
import { eventually, type TestService } from "../testing/test-service.ts";

/** Starts a server in its own process, on the test's database. */
async function startBeside({ databaseUrl, dataDir }: TestService) {
  const server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  onTestFinished(() => void server.stop("SIGKILL"));
  return server;
}

test("keeps every confirmed message when the server is killed", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const server = await startBeside(service);
  const confirmed: string[] = [];

  const senders = [hanako, taro].map(async (member, side) => {
    const [me, receiverId] = [service.memberAt(member, server.url), (side === 0 ? taro : hanako).user_id];
    for (let i = 0; ; i++) {
      const sent = await me.call(sendDm, { receiverId, description: `${side}-${i}` }).catch(() => null);
      if (!sent) return;
      confirmed.push(sent.dm.id);
      if (confirmed.length === 60) void server.stop("SIGKILL");
    }
  });
  await server.exited;
  await Promise.all(senders);
  const restarted = await startBeside(service);

  const me = service.memberAt(hanako, restarted.url);
  const found = new Set((await readAllMessages(me, taro.user_id)).map(({ id }) => id));
  expect(confirmed.length).toBeGreaterThanOrEqual(60);
  expect(confirmed.filter((id) => !found.has(id))).toEqual([]);
});

test("keeps a message once, and sends it when it is repeated, after the server was killed before its event", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const server = await startBeside(service);
  const his = await taro.socket("/ws/events");
  const texts = () => (his.frames as { dm?: Dm }[]).flatMap(({ dm }) => dm?.description ?? []);
  const write = (description: string, clientId: string, url = service.url) =>
    service.memberAt(hanako, url).call(sendDm, { receiverId: taro.user_id, description, clientId });
  await write("first", randomUUID(), server.url);
  await eventually(() => expect(texts()).toEqual(["first"]));

  const clientId = randomUUID();
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_locks where not granted and relation = 'messages'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  await service.db.transaction().execute(async (tx) => {
    await sql`lock table messages in exclusive mode`.execute(tx);
    const lost = write("second", clientId, server.url).catch(() => null);
    await eventually(async () => expect((await waiting.execute(service.db)).rows[0]!.n).toBe(1));
    await server.stop("SIGKILL");
    expect(await lost).toBeNull();
  });
  // The database has the whole statement, and commits it without a client.
  const stored = await eventually(async () => {
    const messages = await readAllMessages(hanako, taro.user_id);
    expect(messages).toHaveLength(2);
    return messages[1]!;
  });
  expect(texts()).toEqual(["first"]);

  expect((await write("second", clientId)).dm.id).toBe(stored.id);
  await eventually(() => expect(texts()).toEqual(["first", "second"]));
  expect(await readAllMessages(hanako, taro.user_id)).toHaveLength(2);
});
