import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { openLog } from "../../platform/log.ts";
import { PaymentUnknownError, type Payments } from "./payments.ts";
import { readConfig } from "../../config.ts";
import { eventually, TestClock } from "../../testing/test-service.ts";
import { createPayPal } from "./paypal.ts";
import { sandboxAccount, startPayPalSandbox, type PayPalSandbox } from "./paypal-sandbox.ts";

const log = openLog("silent");
let dataDir: string;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "alcove-sandbox-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env });

async function startSandbox(): Promise<PayPalSandbox> {
  const sandbox = await startPayPalSandbox(config(), log);
  stops.push(() => sandbox.stop());
  return sandbox;
}

function payments(): Payments {
  const account = sandboxAccount(config())!;
  return createPayPal({ account, statementText: "ONLINE SERVICES", clock: new TestClock(), log });
}

const order = (origin: string) => ({
  requestId: randomUUID(),
  orderId: randomUUID(),
  currency: "JPY" as const,
  amount: 1_500,
  returnUrl: `${origin}/ja/upgrade-account?order=1`,
  cancelUrl: `${origin}/ja/upgrade-account`,
});

const choose = (url: string, choice: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ choice }), redirect: "manual" });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a sandbox that dies comes back at its address, and has lost no approved order", async () => {
  const sandbox = await startSandbox();
  sandbox.serveAt({ forBrowsers: "http://127.0.0.1:3000", forWebhooks: "http://127.0.0.1:9" });
  const { paypalOrderId } = await payments().createOrder(order("http://127.0.0.1:3000"));
  await choose(`${sandbox.origin}/checkoutnow?token=${paypalOrderId}`, "approve");
  const first = sandbox.pid()!;

  process.kill(first, "SIGKILL");
  await eventually(async () => expect(await payments().showOrder(paypalOrderId)).toBeTruthy());

  expect(sandbox.pid()).not.toBe(first);
  const captured = await payments().captureOrder({ paypalOrderId, requestId: "1" });
  expect(captured).toMatchObject({ kind: "order", order: { status: "COMPLETED" } });
  // It has been told again where browsers come to us.
  expect((await payments().createOrder(order("http://127.0.0.1:3000"))).approveUrl).toMatch(
    /^http:\/\/127\.0\.0\.1:3000\/sandbox\/paypal\/checkoutnow\?token=\w+$/,
  );
});

test("both of us may end: what was approved and what was captured is still known, by the same account", async () => {
  const first = await startSandbox();
  const { clientSecret } = sandboxAccount(config())!;
  const { paypalOrderId } = await payments().createOrder(order("http://127.0.0.1:3000"));
  await choose(`${first.origin}/checkoutnow?token=${paypalOrderId}`, "approve");
  const captured = await payments().captureOrder({ paypalOrderId, requestId: "1" });
  const pid = first.pid()!;
  await first.stop();
  expect(isAlive(pid)).toBe(false);
  await expect(payments().showOrder(paypalOrderId)).rejects.toThrow(PaymentUnknownError);

  await startSandbox();

  expect(sandboxAccount(config())).toMatchObject({ clientSecret });
  expect(await payments().captureOrder({ paypalOrderId, requestId: "1" })).toEqual(captured);
});

test("a second server of the same data folder uses the sandbox of the first", async () => {
  const first = await startSandbox();
  const second = await startSandbox();

  expect(second.origin).toBe(first.origin);
  expect(second.pid()).toBeNull();
  await second.stop();
  await expect(payments().showOrder("NOBODYS")).resolves.toMatchObject({ kind: "refused" });
});

test("its secret is nobody else's to read", async () => {
  await startSandbox();
  await payments().createOrder(order("http://127.0.0.1:3000"));

  for (const file of ["account.json", "paypal.json"]) {
    expect((await stat(join(dataDir, "sandbox", file))).mode & 0o077).toBe(0);
  }
});

async function startAll(variables: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ DATA_DIR: dataDir, BOT_CHECK: "off", ...variables });
  stops.push(() => server.end("SIGKILL"));
  return server;
}

test("a server with nothing configured has a sandbox behind its own port, and its end is the sandbox's", async () => {
  const server = await startAll();
  const made = order(server.url);
  const { approveUrl, paypalOrderId } = await payments().createOrder(made);

  expect(approveUrl).toBe(`${server.url}/sandbox/paypal/checkoutnow?token=${paypalOrderId}`);
  const page = await fetch(approveUrl);
  const html = await page.text();
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(html).toMatch(/sandbox.*1500 JPY/s);
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  expect(action).toBe(approveUrl);

  const cancelled = await choose(action, "cancel");
  expect(cancelled.headers.get("location")).toBe(`${made.cancelUrl}?token=${paypalOrderId}`);
  const approved = await choose(action, "approve");
  expect(approved.status).toBe(303);
  const back = new URL(approved.headers.get("location")!);
  expect(`${back.origin}${back.pathname}`).toBe(`${server.url}/ja/upgrade-account`);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    order: "1",
    token: paypalOrderId,
    PayerID: expect.stringMatching(/^\w{13}$/),
  });
  // A stranger on the same port is nobody there.
  const asked = await fetch(`${server.url}/sandbox/paypal/v2/checkout/orders/${paypalOrderId}`);
  expect(asked.status).toBe(401);

  await server.end("SIGKILL");
  await eventually(async () =>
    expect(
      await payments()
        .showOrder(paypalOrderId)
        .catch((error: unknown) => error),
    ).toBeInstanceOf(PaymentUnknownError),
  );
});

test.each([
  ["an account at PayPal", { PAYPAL_CLIENT_ID: "a", PAYPAL_CLIENT_SECRET: "b" }],
  ["a proxy before it", { TRUST_PROXY: "on" }],
])("with %s there is no sandbox", async (_, variables) => {
  const server = await startAll(variables);

  expect((await fetch(`${server.url}/sandbox/paypal/checkoutnow?token=A`)).status).toBe(404);
  expect(existsSync(join(dataDir, "sandbox"))).toBe(false);
});

test("what is kept holds no more of a member than what PayPal is told", async () => {
  await startSandbox();
  const made = order("http://127.0.0.1:3000");
  await payments().createOrder(made);

  const kept = JSON.parse(await readFile(join(dataDir, "sandbox/paypal.json"), "utf8")) as {
    orders: object[];
  };
  expect(kept.orders).toMatchObject([{ unit: { custom_id: made.orderId, description: "Online services" } }]);
});
