// npm run check [-- name …]: types, lint, format, unused code, imports, catalogues, tables, words
// npm run check -- prose [path …] [--stats]: comments, test names and documents
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { printProse, runChecks } from "./checks/all.js";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { install } from "./prepare.js";

try {
  const isProse = process.argv[2] === "prose";
  if (!isProse) await install();
  if (isProse) {
    process.exitCode = printProse(process.argv.slice(3)) === 0 ? 0 : 1;
  } else if (Number(process.versions.node.split(".")[0]) >= 24) {
    const outcome = await runChecks(process.argv.slice(2).filter((arg) => !arg.startsWith("--")));
    const report = process.argv.find((arg) => arg.startsWith("--report="))?.slice("--report=".length);
    if (report) writeFileSync(report, JSON.stringify(outcome));
    process.exitCode = outcome.failed === 0 ? 0 : 1;
  } else {
    // the catalogues are TypeScript, which the Node outside may not read
    const again = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
    const { status } = spawnSync(pinnedNode(), again, { env: projectEnvironment(), stdio: "inherit" });
    process.exitCode = status ?? 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
