// npm run test:search-fuzz, test:payments-fuzz, test:stolen-data [-- cases [seed]]: tests with many random cases or members
import { randomInt } from "node:crypto";
import { install } from "./lib/install.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

/** @type {Record<string, { cases: string, filter: string[] }>} */
const TESTS = {
  "search-fuzz": {
    cases: "3000",
    filter: ["server/src/discovery/search/search.test.ts", "-t", "poles and date line"],
  },
  "stolen-data": { cases: "200", filter: ["server/tests/data/stolen-data.test.ts"] },
  "payments-fuzz": { cases: "10000", filter: ["server/tests/fuzz/payments-fuzz.test.ts"] },
};

await runMain(async () => {
  const [name = "", ...given] = process.argv.slice(2);
  const { cases: usual, filter } = TESTS[name] ?? { cases: "", filter: [] };
  const [cases = usual, seed = String(randomInt(2 ** 31))] = given;
  await install();
  console.log(`Repeat these cases with: npm run test:${name} -- ${cases} ${seed}`);
  const env = { FUZZ_CASES: cases, FUZZ_SEED: seed };
  return run(pinnedNode(), ["node_modules/vitest/vitest.mjs", "run", ...filter], { env, isGroup: true });
});
