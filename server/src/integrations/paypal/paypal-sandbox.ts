import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { createPrivateFolder } from "../../platform/lib/private-folder.ts";
import type { Log } from "../../platform/log.ts";
import type { PayPalAccount, Config } from "../../config.ts";
import { requestJson } from "../json-request.ts";

/** Where browsers reach the sandbox, below our own address. */
export const SANDBOX_PATH = "/sandbox/paypal";

/** The PayPal sandbox of one machine, in a process of its own. */
export interface PayPalSandbox {
  /** Where the process listens: for us alone. */
  readonly origin: string;
  /** Its process, as long as it lives; null where another server of this data folder runs the sandbox. */
  pid(): number | null;
  /** Tells it under which address browsers come to us, and where we listen, for its webhooks. */
  serveAt(address: { forBrowsers: string; forWebhooks: string }): void;
  stop(): Promise<void>;
}

/** NOTE: by its path alone; it is a program as PayPal's own are, and no part of this server. */
const PROGRAM = join(import.meta.dirname, "../../../../test-services/src/paypal-server.ts");
const AGAIN_MS = 200;

const Account = z.object({
  apiUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookId: z.string(),
});

/** Whether payments are the sandbox's: nothing is configured, and nobody but this machine can reach us. */
export function isSandboxWanted({ paypal, isForThisMachineAlone }: Config): boolean {
  return paypal === null && isForThisMachineAlone && existsSync(PROGRAM);
}

/**
 * The account at the sandbox that a server with this data folder runs, or ran last; null where none did. Whoever asks
 * it while no server runs gets no answer.
 */
export function sandboxAccount(config: Config): PayPalAccount | null {
  const path = accountPath(config.dataDir);
  if (!isSandboxWanted(config) || !existsSync(path)) return null;
  return z.core.parse(Account, JSON.parse(readFileSync(path, "utf8")));
}

/**
 * Starts the sandbox. What was bought there is kept in `DATA_DIR/sandbox`, so that neither its end nor ours loses an
 * approved order. When it dies it is started again at the same address; when we die it ends by itself. Servers that share
 * a data folder share the sandbox of the first one.
 */
export async function startPayPalSandbox(config: Config, log: Log): Promise<PayPalSandbox> {
  const { dataDir } = config;
  await createPrivateFolder(join(dataDir, "sandbox"));
  const random = (): string => randomBytes(24).toString("base64url");
  const known = sandboxAccount(config);
  if (known && (await isRunning(known))) {
    return { origin: known.apiUrl, pid: () => null, serveAt: () => undefined, stop: async () => undefined };
  }
  const account = known ?? { clientId: "sandbox", clientSecret: random(), webhookId: random(), apiUrl: "" };
  let isStopping = false;
  let child: ChildProcess;
  let servedAt: { forBrowsers: string; forWebhooks: string } | null = null;

  const tellWhere = () => {
    if (servedAt === null) return;
    const told = [
      { id: 1, name: "standAt", values: [`${servedAt.forBrowsers}${SANDBOX_PATH}`] },
      { id: 2, name: "sendWebhooksTo", values: [`${servedAt.forWebhooks}/webhooks/paypal`] },
    ];
    for (const each of told) child.send(each, () => undefined); // a process that is gone is told again when it is back
  };
  const run = async (port: number): Promise<number> => {
    const { clientId, clientSecret, webhookId } = account;
    const stateFile = join(dataDir, "sandbox", "paypal.json");
    const started = JSON.stringify({ port, clientId, clientSecret, webhookId, stateFile });
    child = fork(PROGRAM, [started], {
      execArgv: [],
      env: { PATH: process.env["PATH"] },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const listensAt = await portOf(child);
    child.once("exit", (code, signal) => {
      if (isStopping) return;
      log.error({ code, signal }, "the PayPal sandbox ended; starting it again");
      void runAgain(listensAt);
    });
    tellWhere();
    return listensAt;
  };
  const runAgain = async (port: number): Promise<void> => {
    if (isStopping) return;
    await run(port).catch(() => setTimeout(() => void runAgain(port), AGAIN_MS).unref());
  };

  const origin = `http://127.0.0.1:${await run(0)}`;
  await save(dataDir, { ...account, apiUrl: origin });
  return {
    origin,
    pid: () => child.pid ?? null,
    serveAt(address) {
      servedAt = address;
      tellWhere();
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null || !child.connected) return;
      const ended = new Promise((done) => child.once("exit", done));
      child.disconnect();
      await ended;
    },
  };
}

/** Whether the sandbox of an account is there, and no stranger at its old address. */
async function isRunning({ apiUrl, clientId, clientSecret }: PayPalAccount): Promise<boolean> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const answer = await requestJson(new URL("/v1/oauth2/token", apiUrl), {
    method: "POST",
    headers: {
      authorization: `Basic ${credentials}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
  });
  return answer?.status === 200;
}

const accountPath = (dataDir: string): string => join(dataDir, "sandbox", "account.json");

async function save(dataDir: string, account: PayPalAccount): Promise<void> {
  const path = accountPath(dataDir);
  await writeFile(`${path}.new`, JSON.stringify(account), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the PayPal sandbox ended with ${code}`)));
  });
}
