// npm run test:long [-- part …]: what proves operation rather than a change. CI runs it each night.
// FUZZ_CASES and FUZZ_SEED choose and repeat the cases of search, payments and stolen-data.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNativeApp, buildWebApp, install } from "./lib/install.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";
import { runParts, runPlaywright, runVitest } from "./lib/run-tests.js";
import { installSystemPackages } from "./lib/system-packages.js";

/** @typedef {import("./lib/run-tests.js").Result} Result */

/** @type {Record<string, () => Promise<Result>>} */
const PARTS = {
  server: () => runVitest(["--tags-filter=long"]),
  races: () => runVitest(["--tags-filter=!long"], { ALL_ROUNDS: "1" }),
  search: () => fuzz(3_000, ["server/src/discovery/search/search.test.ts", "-t", "poles and date line"]),
  payments: () => fuzz(10_000, ["server/tests/fuzz/payments-fuzz.test.ts"]),
  "stolen-data": () => fuzz(200, ["server/tests/data/stolen-data.test.ts"]),
  soak: () => program(["bench/src/soak.ts"]),
  "soak-postgres": () => program(["bench/src/soak.ts", "--bus", "postgres", "--minutes", "3"]),
  chaos: () => program(["bench/src/chaos.ts"]),
  browsers: () => runPlaywright(["--grep=@long"]),
  pictures: takePictures,
  image: () => program(["scripts/image.ts"]),
  lighthouse: () => program(["bench/src/lighthouse.ts"]),
};

await runMain(async () => {
  const given = process.argv.slice(2);
  const unknown = given.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  return runParts(
    given.length > 0 ? given : Object.keys(PARTS),
    async (name) => /** @type {NonNullable<typeof PARTS[string]>} */ (PARTS[name])(),
    async () => {
      await installSystemPackages(["unit", "e2e"]);
      await install();
      await buildWebApp();
      await buildNativeApp();
    },
  );
});

/**
 * @param {number} usual
 * @param {string[]} args
 */
function fuzz(usual, args) {
  const { FUZZ_CASES = String(usual), FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env;
  console.log(`FUZZ_CASES=${FUZZ_CASES} FUZZ_SEED=${FUZZ_SEED}`);
  return runVitest(args, { FUZZ_CASES, FUZZ_SEED });
}

/**
 * Runs a program as `npm run` does. It fails by its exit code.
 *
 * @param {string[]} command
 * @returns {Promise<Result>}
 */
async function program(command) {
  const isOk = (await run(pinnedNode(), ["scripts/run.js", ...command], { isGroup: true })) === 0;
  return {
    passed: isOk ? 1 : 0,
    failed: isOk ? 0 : 1,
    skipped: 0,
    failures: isOk ? [] : [command.join(" ")],
  };
}

async function takePictures() {
  const folder = mkdtempSync(join(tmpdir(), "alcove-pictures-"));
  try {
    return await program(["e2e/pictures/main.ts", "--out", folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
