// npm run citus [-- tests]: server tests on a Citus cluster of this machine: a coordinator and two workers
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unprivilegedAccount } from "../server/src/platform/embedded-postgres/account.ts";
import { install } from "./lib/install.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

/** The path of a member: sign-up, cards, likes, matches, chat, purchases, deletion, rotation of keys. */
const TESTS = [
  "server/src/testing/cluster.test.ts",
  "server/src/accounts/sign-up/sign-up.test.ts",
  "server/src/accounts/deletion.test.ts",
  "server/src/discovery/cards/options.test.ts",
  "server/src/discovery/likes.test.ts",
  "server/src/discovery/search/waiting-likes.test.ts",
  "server/src/messaging/messages.test.ts",
  "server/src/membership/memberships.test.ts",
  "server/src/membership/refunds.test.ts",
  "server/src/cli/keys/rotation.test.ts",
];
const FIRST_PORT = 5_611;
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_preload_libraries=citus",
  "max_connections=400",
  "max_prepared_transactions=400",
  "log_min_messages=fatal",
  "fsync=off",
  "timezone=UTC",
  "citus.node_conninfo=sslmode=disable",
  "citus.shard_count=4",
];

await runMain(async () => {
  const bin = process.env["CITUS_BIN"] ?? "/usr/lib/postgresql/15/bin";
  if (!hasCitus(bin)) {
    console.log(
      `Skipped: ${bin} is no PostgreSQL with Citus 13. Install the packages of postgresql-15 and postgresql-15-citus-13, or set CITUS_BIN.`,
    );
    return 0;
  }
  await install();
  const account = unprivilegedAccount();
  const options = { ...account, cwd: "/", env: { ...process.env, HOME: "/tmp" } };
  const folder = mkdtempSync(join(tmpdir(), "alcove-citus-"));
  if (account) execFileSync("chown", [String(account.uid), folder]);
  const nodes = ["coordinator", "worker-1", "worker-2"].map((name, i) => {
    const data = join(folder, name);
    execFileSync(
      join(bin, "initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
      { ...options, stdio: "ignore" },
    );
    const settings = [...SETTINGS, `port=${FIRST_PORT + i}`].flatMap((setting) => ["-c", setting]);
    return spawn(join(bin, "postgres"), ["-D", data, ...settings], { ...options, stdio: "ignore" });
  });
  const urls = nodes.map((_, i) => `postgres://postgres@127.0.0.1:${FIRST_PORT + i}/postgres`);
  try {
    for (const [i] of nodes.entries()) await ready(bin, FIRST_PORT + i, options);
    const given = process.argv.slice(2);
    return await run(
      pinnedNode(),
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "server",
        "--maxWorkers=1",
        ...(given.length > 0 ? given : TESTS),
      ],
      { env: { TEST_DATABASE_URL: urls[0], TEST_CLUSTER: urls.join(" ") }, isGroup: true },
    );
  } finally {
    const ends = nodes.map((node) => new Promise((resolve) => node.once("exit", resolve)));
    for (const node of nodes) node.kill("SIGINT");
    await Promise.all(ends);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} bin */
function hasCitus(bin) {
  if (!existsSync(join(bin, "pg_config"))) return false;
  const share = execFileSync(join(bin, "pg_config"), ["--sharedir"], { encoding: "utf8" }).trim();
  return existsSync(join(share, "extension/citus.control"));
}

/**
 * @param {string} bin
 * @param {number} port
 * @param {import("node:child_process").ExecFileSyncOptions} options
 */
async function ready(bin, port, options) {
  for (let tried = 0; ; tried++) {
    try {
      execFileSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port), "-q"], options);
      return;
    } catch (error) {
      if (tried === 100) throw error;
      await wait(100);
    }
  }
}
