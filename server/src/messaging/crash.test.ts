import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AnswerOf } from "@alcove/contract";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { hanakoAndTaro, serviceOfTest } from "../testing/match.ts";
import type { TestService } from "../testing/service.ts";

const MAIN = join(import.meta.dirname, "../main.ts");

/** A server in a process of its own, beside the one of the test. */
async function startServer({
  databaseUrl,
  dataDir,
}: TestService): Promise<{ process: ChildProcess; url: string }> {
  const env = {
    ...process.env,
    PORT: "0",
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    BOT_CHECK: "off",
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /ready at (\S+)/.exec(line) ?? [];
    if (url) return { process: child, url };
  }
  throw new Error("the server did not start");
}

test("kill -9 of the server in the middle of sending: every message that was answered is there after the restart", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const server = await startServer(service);
  const answered: string[] = [];

  const senders = [hanako, taro].map(async (member, side) => {
    const [me, receiverId] = [service.meet(member, server.url), (side === 0 ? taro : hanako).user_id];
    for (let i = 0; ; i++) {
      const sent = await me.ask(sendDm, { receiverId, description: `${side}-${i}` }).catch(() => null);
      if (!sent) return;
      answered.push(sent.dm.id);
      if (answered.length === 60) server.process.kill("SIGKILL");
    }
  });
  await once(server.process, "exit");
  await Promise.all(senders);
  const restarted = await startServer(service);

  const me = service.meet(hanako, restarted.url);
  const found = new Set<string>();
  for (let lastId: string | null = null, more = true; more;) {
    const page: AnswerOf<typeof getDms> = await me.ask(getDms, { friendId: taro.user_id, lastId });
    for (const { id } of page.dms) found.add(id);
    lastId = page.dms[0]?.id ?? null;
    more = page.has_more;
  }
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.filter((id) => !found.has(id))).toEqual([]);
});
