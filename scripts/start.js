// npm start, npm run demo (--demo), npm run dev (--watch)
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { buildWebApp, install } from "./prepare.js";
import { root } from "./repository.js";
import { runToItsEnd } from "./run-to-its-end.js";

const isDemo = process.argv.includes("--demo");
const isWatching = process.argv.includes("--watch");

try {
  await install();
  await buildWebApp();

  const args = [
    ...JSON.parse(readFileSync(join(root, "server/node-options.json"), "utf8")),
    ...(isWatching ? ["--watch"] : []),
    join(root, "server/src/main.ts"),
    ...(isDemo ? ["--demo"] : []),
  ];
  const env = { ...projectEnvironment(), ...(isDemo ? { ALCOVE_DEMO: "1" } : {}) };
  // the server stops when this channel closes; Node's own watcher, which stands between, has no use for it
  process.exitCode = await runToItsEnd(pinnedNode(), args, { env, withChannel: !isWatching });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
