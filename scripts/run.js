// npm run operator, npm run soak: runs a program of the repository on the pinned Node
import { install } from "./lib/install.js";
import { sandboxVariables } from "../test-services/src/paypal-supervisor.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

await runMain(async () => {
  await install();
  return run(pinnedNode(), process.argv.slice(2), {
    env: sandboxVariables(process.env),
    readsInput: true,
  });
});
