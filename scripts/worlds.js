// npm run worlds [-- worlds [seed]]: the search against the rules in thousands of random worlds; prints the seed
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { install } from "./prepare.js";
import { root } from "./repository.js";

const [worlds = "3000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);

try {
  await install();
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const tests = ["server/src/discovery/search.test.ts", "-t", "poles and date line"];
  const { status } = spawnSync(pinnedNode(), [vitest, "run", ...tests], {
    cwd: root,
    env: { ...projectEnvironment(), WORLDS: worlds, WORLDS_SEED: seed },
    stdio: "inherit",
  });
  console.log(
    `${worlds} worlds for each way of the search; the same again: npm run worlds -- ${worlds} ${seed}`,
  );
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
