import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { startCaddy } from "@alcove/test-services/caddy";
import { createClient } from "@alcove/test-services/client";
import { startNats } from "@alcove/test-services/nats";
import { freePort, startServer } from "@alcove/test-services/server";
import { pause } from "@alcove/test-services/waiting";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { readAllMessages } from "../../src/testing/read-all-messages.ts";
import { eventually, expectError } from "../../src/testing/test-service.ts";
import { withoutDatabase } from "../../src/testing/without-database.ts";

const DEPLOY = join(import.meta.dirname, "../../../deploy");
const SENDERS = 6;
const METRICS_TOKEN = "metrics token";

/** Two processes behind the deployment's proxy and bus. */
async function deployment() {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const nats = await startNats({ credentials: "alcove:secret", config: join(DEPLOY, "nats.conf") });
  onTestFinished(nats.close);
  const ports = [await freePort(), await freePort()];
  const proxy = await startCaddy(
    join(DEPLOY, "Caddyfile"),
    ports.map((port) => `127.0.0.1:${port}`),
  );
  onTestFinished(proxy.close);
  const start = async (port: number) => {
    const server = await startServer({
      PORT: String(port),
      DATA_DIR: service.dataDir,
      DATABASE_URL: service.databaseUrl,
      NATS_URL: nats.url,
      FACE_DETECTION: "off",
      RATE_LIMITS: "off",
      DRAIN_SECONDS: "6",
      METRICS_TOKEN,
    });
    onTestFinished(async () => void (await server.stop("SIGKILL")));
    return server;
  };
  const servers = await Promise.all(ports.map(start));
  await eventually(async () => expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200));
  const readStartTime = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await (await fetch(`${proxy.url}/metrics`, { headers })).text();
    return Number(/^alcove_process_start_time_seconds (\d+)$/m.exec(metrics)?.[1]);
  };
  const restart = async (at: number) => {
    await servers[at]!.stop();
    const stoppedAt = Math.floor(Date.now() / 1_000);
    servers[at] = await start(ports[at]!);
    // The proxy has seen that the new process is ready.
    await eventually(async () => expect(await readStartTime()).toBeGreaterThanOrEqual(stoppedAt));
  };
  return { proxy, hanako, taro, restart };
}

test(
  "loses no request and no message while one process after the other restarts under load",
  { tags: "long", timeout: 90_000 },
  async () => {
    const { proxy, hanako, taro, restart } = await deployment();
    const sender = createClient(proxy.url, hanako.access);
    const reader = createClient(proxy.url, taro.access);
    const errors: unknown[] = [];
    const sent: string[] = [];
    const over = new AbortController();
    const load = Array.from({ length: SENDERS }, async (_, lane) => {
      for (let count = 0; !over.signal.aborted; count++) {
        const description = `${lane} ${count}`;
        try {
          await sender.call(sendDm, { receiverId: "taro", description });
          sent.push(description);
          await reader.call(getOwnUser, {});
        } catch (error) {
          errors.push(error);
        }
        await pause(20); // more load would only delay the starts
      }
    });

    await restart(0);
    await restart(1);
    over.abort();
    await Promise.all(load);

    const stored = (await readAllMessages(reader, "hanako")).map(({ description }) => description!);
    expect(errors).toEqual([]);
    expect(sent.length).toBeGreaterThan(100);
    expect(stored.toSorted()).toEqual(sent.toSorted());
  },
);

test(
  "the proxy uses a process that is not ready when no other one is",
  { tags: "long", timeout: 60_000 },
  async () => {
    const service = await serviceForTest();
    const server = await startServer({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
    onTestFinished(async () => void (await server.stop()));
    const proxy = await startCaddy(join(DEPLOY, "Caddyfile"), [new URL(server.url).host]);
    onTestFinished(proxy.close);
    const hanako = service.memberAt(await service.member("hanako"), proxy.url);
    await eventually(async () => expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200));

    await withoutDatabase(service.databaseUrl, async () => {
      // The proxy looks for a ready process first, once it knows that this one is not.
      await eventually(async () => {
        const startedAt = performance.now();
        await expectError(hanako.call(getOwnUser, {}), "service_unavailable");
        expect(performance.now() - startedAt).toBeGreaterThan(900);
      }, 15_000);
      expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    });

    await eventually(() => hanako.call(getOwnUser, {}), 15_000);
  },
);

test("the proxy redirects pages to https and rejects calls without it", async () => {
  const proxy = await startCaddy(join(DEPLOY, "Caddyfile"), ["127.0.0.1:9"]);
  onTestFinished(proxy.close);
  const get = (path: string, method = "GET") =>
    fetch(`${proxy.plainUrl}${path}`, { method, redirect: "manual" });

  const page = await get("/en/about-service");

  expect([page.status, page.headers.get("location")]).toEqual([
    308,
    expect.stringMatching(/^https:.*\/en\/about-service$/),
  ]);
  expect((await get("/en/users/api/user")).status).toBe(403);
  expect((await get("/en/about-service", "POST")).status).toBe(403);
});
