// npm run citus [-- tests]: server tests and the main path in a browser, on a Citus cluster of this machine
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unprivilegedAccount } from "../server/src/platform/embedded-postgres/account.ts";
import { freePort } from "../test-services/src/server.ts";
import { buildCitus } from "./lib/build-citus.js";
import { buildWebApp, install } from "./lib/install.js";
import { pinnedNode, root, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

/** The path of a member, the console and a rotation of keys. */
const TESTS = [
  "server/tests/operation/cluster.test.ts",
  "server/tests/operation/cluster-distribute.test.ts",
  "server/tests/operation/cluster-faults.test.ts",
  "server/src/accounts/sign-up/sign-up.test.ts",
  "server/src/accounts/login/login-races.test.ts",
  "server/src/accounts/passwords/reset-password.test.ts",
  "server/src/accounts/deletion.test.ts",
  "server/src/discovery/cards/options.test.ts",
  "server/src/discovery/likes.test.ts",
  "server/src/discovery/own-likes.test.ts",
  "server/src/discovery/search/waiting-likes.test.ts",
  "server/src/messaging/messages.test.ts",
  "server/src/membership/memberships.test.ts",
  "server/src/membership/refunds.test.ts",
  "server/src/operator/console/cases.test.ts",
  "server/src/statistics/statistics.test.ts",
  "server/src/operator/cli/keys/rotation.test.ts",
];
const SPECS = ["discovery/first-match", "chat/send", "membership/buy"];
const DOWN_MS = 8_000;
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_preload_libraries=citus",
  "max_connections=400",
  "max_prepared_transactions=400",
  // Citus runs a process for each database, which ends deadlocks.
  "max_worker_processes=64",
  "log_min_messages=error",
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  "log_parameter_max_length_on_error=0",
  "fsync=off",
  "timezone=UTC",
  "citus.node_conninfo=sslmode=disable",
  "citus.shard_count=4",
];

await runMain(async () => {
  const given = process.env["CITUS_BIN"] ?? "/usr/lib/postgresql/15/bin";
  const source = process.env["CITUS_SOURCE"];
  const bin = hasCitus(given) || !source ? given : buildCitus(source, given);
  if (bin === null) {
    console.log(
      "Skipped: CITUS_SOURCE needs postgresql-15, postgresql-server-dev-15, libkrb5-dev, liblz4-dev, libzstd-dev, libselinux1-dev and libpam0g-dev.",
    );
    return 0;
  }
  if (!hasCitus(bin)) {
    console.log(
      `Skipped: ${bin} is no PostgreSQL with Citus 13. Set CITUS_BIN to one, or CITUS_SOURCE to a checkout of citusdata/citus, branch release-13.1.`,
    );
    return 0;
  }
  await install();
  const account = unprivilegedAccount();
  const options = { ...account, cwd: "/", env: { ...process.env, HOME: "/tmp" } };
  const folder = mkdtempSync(join(tmpdir(), "alcove-citus-"));
  if (account) execFileSync("chown", [String(account.uid), folder]);
  let isEnding = false;
  const ports = [await freePort(), await freePort(), await freePort()];
  const nodes = ["coordinator", "worker-1", "worker-2"].map((name, i) => {
    const data = join(folder, name);
    execFileSync(
      join(bin, "initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
      { ...options, stdio: "ignore" },
    );
    const settings = [...SETTINGS, `port=${ports[i]}`].flatMap((setting) => ["-c", setting]);
    const start = () =>
      spawn(join(bin, "postgres"), ["-D", data, ...settings], { ...options, stdio: "ignore" });
    const node = { process: start() };
    const startAgain = async () => {
      await wait(DOWN_MS);
      if (isEnding) return;
      node.process = start();
      node.process.once("exit", () => void startAgain());
    };
    node.process.once("exit", () => void startAgain());
    return node;
  });
  const urls = ports.map((port) => `postgres://postgres@127.0.0.1:${port}/postgres`);
  try {
    for (const port of ports) await ready(bin, port, options);
    const env = { TEST_DATABASE_URL: urls[0], TEST_CLUSTER: urls.join(" ") };
    const chosen = process.argv.slice(2);
    const isSpec = (/** @type {string} */ file) => file.endsWith(".spec.ts");
    const tests = chosen.length > 0 ? chosen.filter((file) => !isSpec(file)) : TESTS;
    const specs =
      chosen.length > 0 ? chosen.filter(isSpec) : SPECS.map((name) => `e2e/specs/${name}.spec.ts`);
    let code = 0;
    if (tests.length > 0) code = await runVitest(tests, env);
    if (specs.length > 0) await buildWebApp();
    for (const [i, spec] of specs.entries()) code = (await runSpec(spec, `e2e_${i}`, env)) || code;
    return code;
  } finally {
    isEnding = true;
    for (const { process: node } of nodes) {
      if (node.exitCode !== null || node.signalCode !== null) continue;
      node.kill("SIGINT");
      await once(node, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
function runVitest(files, env) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project=server", "--maxWorkers=1", ...files];
  return run(pinnedNode(), args, { env, isGroup: true });
}

/**
 * @param {string} spec
 * @param {string} name of its database
 * @param {NodeJS.ProcessEnv} env
 */
function runSpec(spec, name, env) {
  const program = `import { createClusterDatabase } from "./server/src/testing/cluster-database.ts";
    console.log(await createClusterDatabase("${name}"));`;
  const url = execFileSync(pinnedNode(), ["--input-type=module", "--eval", program], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return run(
    pinnedNode(),
    [
      "node_modules/@playwright/test/cli.js",
      "test",
      "--config=e2e/playwright.config.ts",
      "--workers=1",
      spec,
    ],
    { env: { E2E_DATABASE_URL: url.trim() }, isGroup: true },
  );
}

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
