// npm run worlds [-- worlds [seed]]: the search against the rules in thousands of random worlds; prints the seed
import { randomInt } from "node:crypto";
import { runProgram } from "./run-program.js";

const [worlds = "3000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);

await runProgram(
  "node_modules/vitest/vitest.mjs",
  ["run", "server/src/discovery/search.test.ts", "-t", "poles and date line"],
  { WORLDS: worlds, WORLDS_SEED: seed },
);
console.log(
  `${worlds} worlds for each way of the search; the same again: npm run worlds -- ${worlds} ${seed}`,
);
