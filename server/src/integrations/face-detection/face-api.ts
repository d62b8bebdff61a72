import { createRequire, registerHooks } from "node:module";
import { dirname, join } from "node:path";

interface Tensor {
  readonly size: number;
}

interface TensorFlow {
  readonly Tensor: { readonly prototype: object };
  reshape(tensor: Tensor, shape: readonly number[]): Tensor;
  cast(tensor: Tensor, type: "int32"): Tensor;
}

/** @throws if the optional packages are missing */
export async function loadFaceApi<
  Api extends { tf: { setBackend(name: string): Promise<boolean>; ready(): Promise<void> } },
>(packagesFrom: string): Promise<{ api: Api; models: string }> {
  const require = createRequire(packagesFrom);
  const wasm = require("@tensorflow/tfjs-backend-wasm") as { setWasmPaths(folder: string): void };
  addChainedOperations(require("@tensorflow/tfjs-core") as TensorFlow);
  // The whole of TensorFlow would add 230 MB: training, converters and the backends of browsers.
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === "@tensorflow/tfjs" ? "@tensorflow/tfjs-core" : name, context),
  });
  const api = require("@vladmandic/face-api/dist/face-api.node-wasm.js") as Api;
  hooks.deregister();
  wasm.setWasmPaths(`${dirname(require.resolve("@tensorflow/tfjs-backend-wasm"))}/`);
  if (!(await api.tf.setBackend("wasm"))) throw new Error("WebAssembly cannot be used");
  await api.tf.ready();
  return { api, models: join(dirname(require.resolve("@vladmandic/face-api/package.json")), "model") };
}

/** The core offers its operations as functions only, and the face package calls them as methods of a tensor. */
function addChainedOperations(tf: TensorFlow): void {
  const methods: Record<string, (this: Tensor, ...args: never[]) => unknown> = {};
  for (const [name, operation] of Object.entries(tf))
    if (typeof operation === "function" && /^[a-z]/.test(name) && !(name in tf.Tensor.prototype))
      methods[name] = function (...args) {
        return (operation as (...all: unknown[]) => unknown)(this, ...args);
      };
  methods["as1D"] = function () {
    return tf.reshape(this, [this.size]);
  };
  for (const name of ["as2D", "as3D", "as4D"])
    methods[name] = function (...shape: number[]) {
      return tf.reshape(this, shape);
    };
  methods["toInt"] = function () {
    return tf.cast(this, "int32");
  };
  Object.assign(tf.Tensor.prototype, methods);
}
