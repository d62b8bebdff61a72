import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @throws if the optional packages are missing */
export async function loadFaceApi<
  Api extends { tf: { setBackend(name: string): Promise<boolean>; ready(): Promise<void> } },
>(packagesFrom: string): Promise<{ api: Api; models: string }> {
  const require = createRequire(packagesFrom);
  const wasm = require("@tensorflow/tfjs-backend-wasm") as { setWasmPaths(folder: string): void };
  const api = require("@vladmandic/face-api/dist/face-api.node-wasm.js") as Api;
  wasm.setWasmPaths(`${dirname(require.resolve("@tensorflow/tfjs-backend-wasm"))}/`);
  if (!(await api.tf.setBackend("wasm"))) throw new Error("WebAssembly cannot be used");
  await api.tf.ready();
  return { api, models: join(dirname(require.resolve("@vladmandic/face-api/package.json")), "model") };
}
