// npm run check [-- name … [arguments]]
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { install } from "./lib/install.js";
import { pinnedNode, projectEnvironment, root, runMain } from "./lib/project.js";

const WORKSPACES = ["contract", "i18n", "server", "web", "mobile", "test-services", "e2e", "bench"];

/** @type {Record<string, string[][]>} the commands of each check */
const CHECKS = {
  types: [".", ...WORKSPACES].map((project) => [
    "node_modules/typescript/bin/tsc",
    "--project",
    project,
    "--pretty",
    "false",
  ]),
  lint: [["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]],
  format: [["node_modules/oxfmt/bin/oxfmt", "--check", "."]],
  unused: [["node_modules/knip/bin/knip.js", "--no-progress"]],
  packages: [["scripts/check-packages.ts"]],
  translations: [["i18n/check-translations.ts"]],
  prose: [["scripts/check-prose.ts"]],
  documents: [["scripts/check-documents.ts"]],
  styles: [["scripts/check-styles.ts"]],
};

/**
 * Runs one check per core at a time.
 *
 * @param {string[]} args names of checks, and arguments for a single one
 */
export async function runChecks(args) {
  const chosen = args.filter((arg) => arg in CHECKS);
  const more = args.filter((arg) => !(arg in CHECKS));
  if (more.length > 0 && chosen.length !== 1)
    throw new Error(`no such check: ${more.join(", ")}; there are ${Object.keys(CHECKS).join(", ")}`);

  const result = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) };
  const remaining = (chosen.length > 0 ? chosen : Object.keys(CHECKS)).values();
  const runNext = async () => {
    for (const name of remaining) {
      const startedAt = performance.now();
      const outcomes = [];
      for (const command of CHECKS[name] ?? []) outcomes.push(await runTool([...command, ...more]));
      const isOk = outcomes.every((outcome) => outcome.isOk);
      console.log(
        `${isOk ? "ok    " : "failed"}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
      );
      for (const { isOk: isClean, output } of outcomes)
        if (!isClean || more.length > 0 || output.startsWith("warning: ")) console.log(output);
      result[isOk ? "passed" : "failed"] += 1;
      if (!isOk) result.failures.push(`check ${name}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return result;
}

/** @param {string[]} command */
async function runTool(command) {
  const env = { ...projectEnvironment(), NO_COLOR: "1", FORCE_COLOR: undefined };
  const tool = promisify(execFile)(pinnedNode(), command, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
  return tool.then(
    ({ stdout, stderr }) => ({ isOk: true, output: `${stdout}${stderr}`.trimEnd() }),
    (error) => ({ isOk: false, output: `${error.stdout}${error.stderr}`.trimEnd() || error.message }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    await install();
    return (await runChecks(process.argv.slice(2))).failed === 0 ? 0 : 1;
  });
}
