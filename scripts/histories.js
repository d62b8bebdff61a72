// npm run histories [-- histories [seed]]: orders, captures, webhooks, refunds, fees and transfers in random order, against PayPal's own book; prints the seed
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { install } from "./prepare.js";
import { root } from "./repository.js";

const [histories = "10000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);

try {
  await install();
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(pinnedNode(), [vitest, "run", "server/src/testing/money.test.ts"], {
    cwd: root,
    env: { ...projectEnvironment(), HISTORIES: histories, HISTORIES_SEED: seed },
    stdio: "inherit",
  });
  console.log(`${histories} histories; the same again: npm run histories -- ${histories} ${seed}`);
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
