import { expect, onTestFinished, test } from "vitest";
import { sendDm } from "@alcove/contract/messaging";
import { startServer } from "@alcove/test-services/server";
import { hanakoAndTaro, serviceForTest } from "../testing/match.ts";
import { readAllMessages } from "../testing/read-all-messages.ts";
import type { TestService } from "../testing/test-service.ts";

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
