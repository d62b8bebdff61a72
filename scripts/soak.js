// npm run soak [-- --sockets 1000 --minutes 10 --seed 7 --bus nats|postgres]: conversations while servers are killed
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { install } from "./prepare.js";
import { root } from "./repository.js";

try {
  await install();
  const program = join(root, "bench/src/soak.ts");
  const { status } = spawnSync(pinnedNode(), [program, ...process.argv.slice(2)], {
    cwd: root,
    env: projectEnvironment(),
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
