// npm test [-- check | unit | e2e …] [files …]: installs, builds, checks and tests what proves a change
import { runChecks } from "./check.js";
import { buildNativeApp, buildWebApp, install } from "./lib/install.js";
import { readText, runMain } from "./lib/project.js";
import { runParts, runPlaywright, runVitest } from "./lib/run-tests.js";
import { installSystemPackages } from "./lib/system-packages.js";

/** @type {Record<string, (files: string[]) => Promise<import("./lib/run-tests.js").Result>>} */
const PARTS = {
  check: async () => runChecks([]),
  unit: (files) => runVitest(["--tags-filter=!long", ...files]),
  e2e: (files) => runPlaywright(["--grep-invert=@long", ...files]),
};

await runMain(async () => {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => !(arg in PARTS));
  const parts = Object.keys(PARTS).filter((part) => args.includes(part) || args.length === files.length);
  return runParts(
    parts,
    async (part) => /** @type {NonNullable<typeof PARTS[string]>} */ (PARTS[part])(files),
    async () => {
      await installSystemPackages(parts);
      await install();
      if (!needsBuild(parts, files)) return;
      await buildWebApp();
      await buildNativeApp();
    },
  );
});

/**
 * Few server tests need the web app.
 *
 * @param {string[]} parts
 * @param {string[]} files
 */
function needsBuild(parts, files) {
  if (parts.includes("e2e")) return true;
  if (!parts.includes("unit")) return false;
  return files.length === 0 || files.some((file) => readText(file).includes("web/build"));
}
