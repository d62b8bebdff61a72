import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox } from "@alcove/test-services/mail";
import { behindProxy, startServer } from "@alcove/test-services/server";
import { quantile, table } from "./stats.ts";

/**
 * Measures logins from elsewhere while 600 parallel wrong logins come from one /64. Run: `npm run login -w bench`. Starts
 * servers with and without rate limits; without them, only the queue of passwords protects a login.
 *
 * Fails unless the median takes less than 5 times its idle time, or less than 500 ms.
 */
const ATTACKERS = 600;
const BURSTS = 5;
const IDLE_LOGINS = 20;
/** Each account may log in 30 times in 15 minutes. */
const ACCOUNTS = 8;
const MAX_RATIO = 5;
const MAX_MS = 500;
const PASSWORD = "quiet-evenings-7";

interface Login {
  readonly userId: string;
  readonly password: string;
  readonly ip: string;
}

/** Returns the status. Each login has its own connection, as from many clients. */
async function logIn(url: string, { userId, password, ip }: Login): Promise<number> {
  const body = JSON.stringify({ user_id: userId, password });
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-forwarded-for": ip,
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/en/api/token/", url), { method: "POST", headers, agent: false });
    sent.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode!));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

interface Burst {
  readonly url: string;
  readonly no: number;
}

/** The attacker is a thread, so that its work does not delay the measured responses. */
async function attack({ url, no }: Burst): Promise<number[]> {
  const logins = Array.from({ length: ATTACKERS }, async (_, i) =>
    logIn(url, { userId: `member-${no}-${i}`, password: "wrong", ip: `2001:db8:1:${no}::${i.toString(16)}` }),
  );
  return Promise.all(logins);
}

interface Figures {
  readonly idleMs: number[];
  readonly attackedMs: number[];
  /** Responses to the attacker by status. */
  readonly statuses: Map<number, number>;
}

async function measure(rateLimits: "on" | "off"): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const mailbox = await startMailbox();
  const server = await startServer({
    ...(await behindProxy(join(folder, "secrets"))),
    DATA_DIR: join(folder, "data"),
    BOT_CHECK: "off",
    RATE_LIMITS: rateLimits,
    LOG_LEVEL: "warn",
    SMTP_URL: mailbox.url,
  });
  const attacker = new Worker(new URL(import.meta.url));
  const figures: Figures = { idleMs: [], attackedMs: [], statuses: new Map() };
  let logins = 0;
  const timeLogin = async () => {
    const account = logins++ % ACCOUNTS;
    const start = performance.now();
    const login = { userId: `honest-${account}`, password: PASSWORD, ip: `203.0.113.${account}` };
    const status = await logIn(server.url, login);
    if (status !== 200) throw new Error(`a right password got ${status}`);
    return performance.now() - start;
  };
  try {
    for (let i = 0; i < ACCOUNTS; i++)
      await signUp(server.url, mailbox, signUpForm(`honest-${i}`, { password: PASSWORD }));
    for (let i = 0; i < IDLE_LOGINS; i++) figures.idleMs.push(await timeLogin());
    for (let no = 0; no < BURSTS; no++) {
      const burst = { isOver: false };
      const over = once(attacker, "message").finally(() => (burst.isOver = true));
      attacker.postMessage({ url: server.url, no } satisfies Burst);
      while (!burst.isOver) figures.attackedMs.push(await timeLogin());
      const [statuses] = (await over) as [number[]];
      for (const status of statuses) figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
    }
  } finally {
    await attacker.terminate();
    await server.stop();
    await mailbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}

async function main(): Promise<void> {
  const rows: string[][] = [];
  let hasPassed = true;
  for (const rateLimits of ["on", "off"] as const) {
    const { idleMs, attackedMs, statuses } = await measure(rateLimits);
    const [idle, attacked] = [quantile(idleMs, 0.5), quantile(attackedMs, 0.5)];
    const isGood = attacked < Math.max(MAX_RATIO * idle, MAX_MS);
    hasPassed &&= isGood;
    rows.push([
      rateLimits,
      idle.toFixed(0),
      attacked.toFixed(0),
      quantile(attackedMs, 0.95).toFixed(0),
      Math.max(...attackedMs).toFixed(0),
      String(attackedMs.length),
      (attacked / idle).toFixed(1),
      [...statuses].map(([status, count]) => `${count} × ${status}`).join(", "),
      isGood ? "good" : "too slow",
    ]);
  }
  const head = ["rate limits", "idle p50 ms", "attacked p50", "p95", "slowest", "logins", "ratio"];
  console.log(
    `${availableParallelism()} cores, Node ${process.versions.node}, ${BURSTS} bursts of ${ATTACKERS}\n`,
  );
  console.log(table([...head, "responses to the attacker", "verdict"], rows));
  process.exit(hasPassed ? 0 : 1);
}

if (isMainThread) await main();
else
  parentPort!.on(
    "message",
    (burst: Burst) => void attack(burst).then((sent) => parentPort!.postMessage(sent)),
  );
