import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sandboxVariables, startPayPalSandbox } from "./paypal-supervisor.js";

type Variables = Record<string, string>;

let dataDir: string;
const stops: (() => void)[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "alcove-sandbox-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(env: NodeJS.ProcessEnv = {}) {
  const sandbox = await startPayPalSandbox({ DATA_DIR: dataDir, PATH: process.env["PATH"], ...env });
  stops.push(sandbox.stop);
  return sandbox;
}

async function request(sandbox: Variables, path: string, body: object | null = null) {
  const { PAYPAL_API_URL: origin, PAYPAL_CLIENT_ID: id, PAYPAL_CLIENT_SECRET: secret } = sandbox;
  const token = await fetch(`${origin}/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${origin}${path}`, init);
  return (await response.json()) as { id: string; status: string; links: { rel: string; href: string }[] };
}

const orderId = randomUUID();

function createOrder(sandbox: Variables) {
  const amount = { currency_code: "JPY", value: "1500" };
  const purchase_units = [{ custom_id: orderId, description: "Online services", amount }];
  return request(sandbox, "/v2/checkout/orders", { intent: "CAPTURE", purchase_units });
}

async function approve(sandbox: Variables, id: string): Promise<void> {
  const body = new URLSearchParams({ choice: "approve" });
  await fetch(`${sandbox["PAYPAL_API_URL"]}/checkoutnow?token=${id}`, { method: "POST", body });
}

const capture = (sandbox: Variables, id: string) => request(sandbox, `/v2/checkout/orders/${id}/capture`, {});

test("shows no secret in the process list", async () => {
  const { variables, pid } = await start();

  const line = execFileSync("ps", ["-o", "args=", "-p", String(pid())], { encoding: "utf8" });

  expect(line).toContain("paypal-server.ts");
  for (const name of ["PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID"] as const)
    expect(line).not.toContain(variables[name]);
});

test("returns the sandbox's account, and pages behind the server's URL", async () => {
  const { variables } = await start({ PORT: "4321" });

  const { id, links } = await createOrder(variables);

  expect(variables).toMatchObject({ PAYPAL_SANDBOX: "on", PORT: "4321" });
  expect(links.find(({ rel }) => rel === "approve")?.href).toBe(
    `http://127.0.0.1:4321/sandbox/paypal/checkoutnow?token=${id}`,
  );
  expect(sandboxVariables({ DATA_DIR: dataDir })).toEqual({ ...variables, PORT: undefined });
});

test("chooses a port for the server when any will do", async () => {
  const { variables } = await start({ PORT: "0" });

  expect(Number(variables["PORT"])).toBeGreaterThan(0);
});

test.each([
  { PAYPAL_CLIENT_ID: "a", PAYPAL_CLIENT_SECRET: "b" },
  { TRUST_PROXY: "on" },
  { HOST: "0.0.0.0" },
  { PUBLIC_URL: "https://alcove.example" },
])("starts nothing with %o", async (env) => {
  const { variables } = await start(env);

  expect(variables).toEqual({});
  expect(existsSync(join(dataDir, "sandbox"))).toBe(false);
});

test("restarts a killed sandbox at its address, with its approved orders", async () => {
  const { variables, pid } = await start();
  const { id } = await createOrder(variables);
  await approve(variables, id);

  process.kill(pid()!, "SIGKILL");

  await expect
    .poll(() => capture(variables, id).catch(() => null), { timeout: 10_000 })
    .toMatchObject({ status: "COMPLETED" });
});

test("keeps its account and its orders after it is stopped", async () => {
  const first = await start();
  const { id } = await createOrder(first.variables);
  await approve(first.variables, id);
  first.stop();
  await expect
    .poll(() => createOrder(first.variables).catch((error: unknown) => error))
    .toBeInstanceOf(TypeError);

  const second = await start();

  expect(second.variables["PAYPAL_CLIENT_SECRET"]).toBe(first.variables["PAYPAL_CLIENT_SECRET"]);
  expect(await capture(second.variables, id)).toMatchObject({ status: "COMPLETED" });
});

test("shares the sandbox of the first server when two use one data folder", async () => {
  const first = await start();
  const second = await start();

  second.stop();

  expect(second.variables["PAYPAL_API_URL"]).toBe(first.variables["PAYPAL_API_URL"]);
  expect(await createOrder(first.variables)).toMatchObject({ status: "CREATED" });
});

test("keeps its secret and its orders from other accounts", async () => {
  const { variables } = await start();
  await createOrder(variables);

  for (const file of ["account.json", "paypal.json"]) {
    expect((await stat(join(dataDir, "sandbox", file))).mode & 0o077).toBe(0);
  }
});

test("stores only what PayPal receives about an order", async () => {
  const { variables } = await start();
  await createOrder(variables);

  const { orders } = JSON.parse(await readFile(join(dataDir, "sandbox/paypal.json"), "utf8")) as {
    orders: object[];
  };

  expect(orders).toMatchObject([{ unit: { custom_id: orderId, description: "Online services" } }]);
});
