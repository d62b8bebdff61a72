import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pinnedNode, root } from "../../scripts/lib/project.js";

const RESTART_MS = 200;

/** @typedef {{ variables: Record<string, string>, pid: () => number | undefined, stop: () => void }} Sandbox */
/** @typedef {{ port: number, clientId: string, clientSecret: string, webhookId: string }} Account */

/**
 * Starts the PayPal sandbox if payments are not configured and only this machine can reach the server.
 *
 * `DATA_DIR/sandbox` keeps its account and its orders. A sandbox that dies is restarted at the same port, and all of them
 * end with this process. Servers that share a data folder use the sandbox of the first one.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Sandbox>} with the variables for the server
 */
export async function startPayPalSandbox(env) {
  if (!isWanted(env)) return foreign({});
  const port = Number(env.PORT || 3000) || (await freePort());
  const site = env.PUBLIC_URL?.replace(/\/$/, "") || `http://${bracketed(hostOf(env))}:${port}`;
  const own = { PORT: String(port) };
  const known = readAccount(env);
  if (known && (await isRunning(known))) return foreign({ ...own, ...variablesOf(known) });

  const account = known ?? { port: 0, clientId: "sandbox", clientSecret: secret(), webhookId: secret() };
  mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
  const stateFile = join(folderOf(env), "paypal.json");
  const sandbox = await supervise({ ...account, port: 0, site, stateFile });
  account.port = sandbox.port;
  writeAccount(env, account);
  return { ...sandbox, variables: { ...own, ...variablesOf(account) } };
}

/**
 * @param {Record<string, string>} variables
 * @returns {Sandbox}
 */
function foreign(variables) {
  return { variables, pid: () => undefined, stop() {} };
}

/**
 * Returns the variables of the sandbox that runs with this data folder, for a program beside the server.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function sandboxVariables(env) {
  const account = isWanted(env) ? readAccount(env) : null;
  return account ? variablesOf(account) : {};
}

/** @param {NodeJS.ProcessEnv} env */
function isWanted(env) {
  const hasPayments = Object.keys(env).some((name) => name.startsWith("PAYPAL_") && env[name]);
  const publicUrl = env.PUBLIC_URL || "http://localhost";
  const isLocalUrl = URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname);
  return !hasPayments && env.TRUST_PROXY !== "on" && isLoopback(hostOf(env)) && isLocalUrl;
}

/** @param {NodeJS.ProcessEnv} env */
function hostOf(env) {
  return env.HOST || "127.0.0.1";
}

/** @param {string} host */
function isLoopback(host) {
  return ["localhost", "::1", "[::1]"].includes(host) || host.startsWith("127.");
}

/** @param {string} host */
function bracketed(host) {
  return host.includes(":") ? `[${host}]` : host;
}

/** @param {Account} account */
function variablesOf({ port, clientId, clientSecret, webhookId }) {
  return {
    PAYPAL_SANDBOX: "on",
    PAYPAL_API_URL: originOf(port),
    PAYPAL_CLIENT_ID: clientId,
    PAYPAL_CLIENT_SECRET: clientSecret,
    PAYPAL_WEBHOOK_ID: webhookId,
  };
}

/** @param {number} port */
function originOf(port) {
  return `http://127.0.0.1:${port}`;
}

/** @param {NodeJS.ProcessEnv} env */
function folderOf(env) {
  return resolve(root, env.DATA_DIR || "data", "sandbox");
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Account | null}
 */
function readAccount(env) {
  const file = join(folderOf(env), "account.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Account} account
 */
function writeAccount(env, account) {
  const file = join(folderOf(env), "account.json");
  writeFileSync(`${file}.new`, JSON.stringify(account), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function secret() {
  return randomBytes(24).toString("base64url");
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * Another program may have the port by now, so the sandbox must accept our secret.
 *
 * @param {Account} account
 */
async function isRunning({ port, clientId, clientSecret }) {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const init = { method: "POST", headers: { authorization }, body, signal: AbortSignal.timeout(2000) };
  const response = await fetch(`${originOf(port)}/v1/oauth2/token`, init).catch(() => null);
  return response?.status === 200;
}

/**
 * Runs the sandbox until it is stopped, and starts it again when it dies.
 *
 * @param {Account & { site: string, stateFile: string }} start
 */
async function supervise(start) {
  let isStopping = false;
  const { port, ...first } = await spawnSandbox(start);
  let { child } = first;
  child.once("exit", () => void restart());

  async function restart() {
    await wait(RESTART_MS);
    if (isStopping) return;
    console.error("Alcove: the PayPal sandbox ended, starting it again");
    try {
      ({ child } = await spawnSandbox({ ...start, port }));
    } catch {
      return restart();
    }
    child.once("exit", () => void restart());
    if (isStopping) child.disconnect();
  }

  return {
    port,
    pid: () => child.pid,
    stop() {
      isStopping = true;
      if (child.connected) child.disconnect(); // it then exits
    },
  };
}

/**
 * @param {Account & { site: string, stateFile: string }} start
 * @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number }>}
 */
async function spawnSandbox(start) {
  const child = fork(join(import.meta.dirname, "paypal-server.ts"), {
    execPath: pinnedNode(),
    execArgv: [],
    env: { PATH: process.env.PATH, START: JSON.stringify(start) },
    detached: true, // a Ctrl-C must not end it before the server has stopped
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [first] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (!first?.port) throw new Error(`the PayPal sandbox ended with ${first}`);
  return { child, port: first.port };
}
