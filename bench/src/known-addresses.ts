import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { logIn, requestSignUpCode } from "@alcove/contract/accounts";
import { requestResetCode } from "@alcove/contract/passwords";
import { createClient, CallError, signUp } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startServer } from "@alcove/test-services/server";
import { quantile, table } from "./stats.ts";
import { databaseIn } from "./seed.ts";

/**
 * Compares response times for known and unknown email addresses and user ids, and a lookup by primary key. Run: `npm
 * run known-addresses -w bench`.
 */

const CALLS = 200;
const WARM_UP = 20;

const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
const mailbox = await startMailbox();
const server = await startServer({
  DATA_DIR: dataDir,
  SMTP_URL: mailbox.url,
  BOT_CHECK: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "fatal",
});
const visitor = createClient(server.url);
const agreed = { agree_privacy_policy: "yes", agree_tos: "yes" } as const;

const calls: Record<string, (name: string) => Promise<unknown>> = {
  "first step of signing up": (name) =>
    visitor.call(requestSignUpCode, { email: `${name}@example.com`, ...agreed }),
  "first step of resetting": (name) => visitor.call(requestResetCode, { email: `${name}@example.com` }),
  "login with a wrong password": (name) =>
    visitor.call(logIn, { user_id: name, password: "not this one" }).catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
    }),
};

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

try {
  await signUp(server.url, mailbox, signUpForm("known"));
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  const lookUp = () => db.query("select language from members where member_no = 1");

  const rows: string[][] = [];
  const cells = (times: readonly number[]) => [0.5, 0.95].map((share) => quantile(times, share).toFixed(1));
  const byKey: number[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < CALLS + WARM_UP; i++) {
      const inOrder = [
        [known, "known"],
        [unknown, "unknown"],
      ] as const;
      for (const [times, member] of i % 2 === 0 ? inOrder : inOrder.toReversed()) {
        const ms = await timed(() => call(member));
        if (i >= WARM_UP) times.push(ms);
      }
      const ms = await timed(lookUp);
      if (i >= WARM_UP) byKey.push(ms);
    }
    const ratio = [0.5, 0.95].map((share) => (quantile(known, share) / quantile(unknown, share)).toFixed(2));
    rows.push([name, ...cells(known), ...cells(unknown), ...ratio]);
  }
  await db.end();
  rows.push(["lookup by key, SQL alone", ...cells(byKey), "", "", "", ""]);

  const load = loadavg()[0]!.toFixed(1);
  console.log(
    `${availableParallelism()} cores, Node ${process.versions.node}, ${CALLS} calls each, load ${load}\n`,
  );
  console.log(
    table(
      ["call", "known p50 ms", "p95", "unknown p50 ms", "p95", "known : unknown p50", "known : unknown p95"],
      rows,
    ),
  );
} finally {
  await server.stop();
  await mailbox.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
