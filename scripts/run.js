// npm run operator, gallery, pictures, soak: runs a program of the repository on the pinned Node, `--build` with the web app
import { buildWebApp, install } from "./lib/install.js";
import { sandboxVariables } from "../test-services/src/paypal-supervisor.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

await runMain(async () => {
  await install();
  const [first, ...rest] = process.argv.slice(2);
  const needsWebApp = first === "--build";
  if (needsWebApp) await buildWebApp();
  return run(pinnedNode(), needsWebApp ? rest : [first ?? "", ...rest], {
    env: sandboxVariables(process.env),
    readsInput: true,
  });
});
