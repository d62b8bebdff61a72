import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { getOwnUser, getWsTicket } from "@alcove/contract/accounts";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { quantile, table } from "./stats.ts";
import { databaseIn } from "./seed.ts";

/**
 * Compares calls with and without rate limits, and a lookup by primary key. Run: `npm run limits -w bench`.
 */
const MEMBERS = 16;
/** Below the limits per minute. */
const READS = 300;
const TICKETS = 50;

interface Setup {
  readonly name: string;
  readonly dataDir: string;
  readonly server: ServerProcess;
  readonly members: readonly SignedUpMember[];
  readonly db: pg.Client;
}

async function open(name: "on" | "off", mailbox: Mailbox): Promise<Setup> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const variables = { BOT_CHECK: "off", LOG_LEVEL: "warn", SMTP_URL: mailbox.url, RATE_LIMITS: name };
  const server = await startServer({ DATA_DIR: dataDir, ...variables });
  const members: SignedUpMember[] = [];
  for (let i = 0; i < MEMBERS; i++)
    members.push(await signUp(server.url, mailbox, signUpForm(`limits-${name}-${i}`)));
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  return { name, dataDir, server, members, db };
}

async function close({ db, server, dataDir }: Setup): Promise<void> {
  await db.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const times = new Map<string, number[]>();

async function record(what: string, act: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await act();
  const all = times.get(what) ?? [];
  all.push(performance.now() - start);
  times.set(what, all);
}

async function measure(setups: readonly Setup[]): Promise<void> {
  for (let i = 0; i < READS; i++) {
    for (let member = 0; member < MEMBERS; member++) {
      for (const { name, members, db } of setups) {
        const me = members[member]!;
        await record(`a read (own profile), limits ${name}`, () => me.call(getOwnUser, {}));
        if (i >= TICKETS) continue;
        await record(`a counted call (socket ticket), limits ${name}`, () => me.call(getWsTicket, {}));
        await record("a member by primary key, SQL alone", () =>
          db.query("select * from members where member_no = $1", [member + 1]),
        );
      }
    }
  }
}

const mailbox = await startMailbox();
const setups = [await open("on", mailbox), await open("off", mailbox)];
try {
  await measure(setups);
} finally {
  for (const setup of setups) await close(setup);
  await mailbox.close();
}
const rows = [...times].map(([what, ms]) => {
  const spread = [0.5, 0.95, 0.99].map((share) => quantile(ms, share).toFixed(2));
  return [what, String(ms.length)].concat(spread);
});
console.log(`${availableParallelism()} cores, Node ${process.versions.node}\n`);
console.log(table(["what", "times", "p50 ms", "p95", "p99"], rows));
process.exit();
