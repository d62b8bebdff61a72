// npm run check [-- name …]: types, lint, format, unused code, imports, translations, tables, words
// npm run check -- prose [path …] [--stats]: comments, test names and documents
import { writeFileSync } from "node:fs";
import { printProse, runChecks } from "./checks/all.js";
import { install } from "./prepare.js";

try {
  if (process.argv[2] === "prose") {
    process.exitCode = printProse(process.argv.slice(3)) === 0 ? 0 : 1;
  } else {
    await install();
    const outcome = await runChecks(process.argv.slice(2).filter((arg) => !arg.startsWith("--")));
    const report = process.argv.find((arg) => arg.startsWith("--report="))?.slice("--report=".length);
    if (report) writeFileSync(report, JSON.stringify(outcome));
    process.exitCode = outcome.failed === 0 ? 0 : 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
