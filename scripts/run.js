// npm run operator, gallery, pictures, mobile, soak: a program on the pinned Node, `--build` with the web app
import { buildNativeApp, buildWebApp, install } from "./lib/install.js";
import { sandboxVariables } from "../test-services/src/paypal-supervisor.js";
import { pinnedNode, runMain } from "./lib/project.js";
import { run } from "./lib/run.js";

await runMain(async () => {
  await install();
  const [first, ...rest] = process.argv.slice(2);
  const needsWebApp = first === "--build";
  if (needsWebApp) await buildWebApp();
  if (first === "--build-native") await buildNativeApp();
  return run(pinnedNode(), first?.startsWith("--build") ? rest : [first ?? "", ...rest], {
    env: sandboxVariables(process.env),
    readsInput: true,
  });
});
