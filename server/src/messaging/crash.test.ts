import { expect, onTestFinished, test } from "vitest";
import type { ResponseOf } from "@alcove/contract";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { startServer } from "@alcove/test-services/server";
import { hanakoAndTaro, serviceOfTest } from "../testing/match.ts";
import type { TestService } from "../testing/test-service.ts";

/** A server in a process of its own, on the database of the test's. */
async function startBeside({ databaseUrl, dataDir }: TestService) {
  const server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  onTestFinished(() => void server.end("SIGKILL"));
  return server;
}

test("kill -9 of the server in the middle of sending: every message that was answered is there after the restart", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const server = await startBeside(service);
  const answered: string[] = [];

  const senders = [hanako, taro].map(async (member, side) => {
    const [me, receiverId] = [service.meet(member, server.url), (side === 0 ? taro : hanako).user_id];
    for (let i = 0; ; i++) {
      const sent = await me.ask(sendDm, { receiverId, description: `${side}-${i}` }).catch(() => null);
      if (!sent) return;
      answered.push(sent.dm.id);
      if (answered.length === 60) void server.end("SIGKILL");
    }
  });
  await server.ended;
  await Promise.all(senders);
  const restarted = await startBeside(service);

  const me = service.meet(hanako, restarted.url);
  const found = new Set<string>();
  for (let lastId: string | null = null, more = true; more;) {
    const page: ResponseOf<typeof getDms> = await me.ask(getDms, { friendId: taro.user_id, lastId });
    for (const { id } of page.dms) found.add(id);
    lastId = page.dms[0]?.id ?? null;
    more = page.has_more;
  }
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.filter((id) => !found.has(id))).toEqual([]);
});
