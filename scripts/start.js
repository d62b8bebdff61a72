// npm start, npm run demo (--demo), npm run dev (--watch)
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildWebApp, install } from "./lib/install.js";
import { startPayPalSandbox } from "../test-services/src/paypal-supervisor.js";
import { pinnedNode, root, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

await runMain(async () => {
  await install();
  await buildWebApp();

  const isWatching = process.argv.includes("--watch");
  const args = [
    ...JSON.parse(readFileSync(join(root, "server/node-options.json"), "utf8")),
    ...(isWatching ? ["--watch"] : []),
    "server/src/main.ts",
    ...(process.argv.includes("--demo") ? ["--demo"] : []),
  ];
  const { variables, stop } = await startPayPalSandbox(process.env);
  try {
    return await run(pinnedNode(), args, { env: variables, hasChannel: !isWatching });
  } finally {
    stop();
  }
});
