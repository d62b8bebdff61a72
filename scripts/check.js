// npm run check [-- name … [arguments]]: types, lint with import rules, format, unused code and our own checks
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { install } from "./lib/install.js";
import { pinnedNode, projectEnvironment, root, runMain } from "./lib/project.js";

const WORKSPACES = ["contract", "i18n", "server", "web", "mobile", "test-services", "e2e", "bench"];

/** @type {Record<string, string[][]>} the commands of each check */
const CHECKS = {
  types: [
    ["node_modules/@react-router/dev/bin.cjs", "typegen", "web"],
    ...[".", ...WORKSPACES].map((project) => [
      "node_modules/typescript/bin/tsc",
      "--project",
      project,
      "--pretty",
      "false",
    ]),
  ],
  lint: [["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]],
  format: [["node_modules/oxfmt/bin/oxfmt", "--check", "."]],
  unused: [["node_modules/knip/bin/knip.js", "--no-progress"]],
  packages: [["scripts/check-packages.ts"]],
  translations: [["i18n/check-translations.ts"]],
  prose: [["scripts/check-prose.ts"]],
};

/**
 * @param {string[]} args names of checks, and arguments for a single one
 */
export function runChecks(args) {
  const chosen = args.filter((arg) => arg in CHECKS);
  const more = args.filter((arg) => !(arg in CHECKS));
  if (more.length > 0 && chosen.length !== 1)
    throw new Error(`no such check: ${more.join(", ")}; there are ${Object.keys(CHECKS).join(", ")}`);

  const result = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  for (const name of chosen.length > 0 ? chosen : Object.keys(CHECKS)) {
    const startedAt = performance.now();
    const outcomes = (CHECKS[name] ?? []).map((command) => runTool([...command, ...more]));
    const isOk = outcomes.every(({ status }) => status === 0);
    console.log(
      `${isOk ? "ok    " : "failed"}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
    );
    for (const { status, output } of outcomes) if (status !== 0 || more.length > 0) console.log(output);
    result[isOk ? "passed" : "failed"] += 1;
    if (!isOk) result.failures.push(`check ${name}`);
  }
  return result;
}

/** @param {string[]} command */
function runTool(command) {
  const env = { ...projectEnvironment(), NO_COLOR: "1", FORCE_COLOR: undefined };
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024, encoding: /** @type {const} */ ("utf8") };
  const { status, stdout, stderr, error } = spawnSync(pinnedNode(), command, options);
  return { status, output: error ? error.message : `${stdout}${stderr}`.trimEnd() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    await install();
    return runChecks(process.argv.slice(2)).failed === 0 ? 0 : 1;
  });
}
