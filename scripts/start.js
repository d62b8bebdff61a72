// npm start, npm run demo (--demo), npm run dev (--watch)
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

  // Node's own watcher stands between us and the server: it passes signals on, but no channel
  const way = isWatching ? ["--watch"] : [`--import=${new URL("stop-with-parent.js", import.meta.url).href}`];
  process.exitCode = await runToItsEnd(
    pinnedNode(),
    [...way, join(root, "server/src/main.ts"), ...(isDemo ? ["--demo"] : [])],
    { env: { ...projectEnvironment(), ...(isDemo ? { ALCOVE_DEMO: "1" } : {}) }, withChannel: !isWatching },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
