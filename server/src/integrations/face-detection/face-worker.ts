import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { CERTAIN_SCORE, type FaceCandidate } from "./face-detection.ts";
import type { FaceResponse, FaceRequest } from "./face-detector.ts";

/** What this uses of `@vladmandic/face-api`, which is optional and so not there for the types either. */
interface FaceApi {
  readonly tf: {
    setBackend(name: string): Promise<boolean>;
    ready(): Promise<void>;
    tensor3d(values: Uint8Array, shape: [number, number, number], type: "int32"): { dispose(): void };
  };
  readonly nets: Record<
    "ssdMobilenetv1" | "tinyFaceDetector",
    { loadFromDisk(folder: string): Promise<void> }
  >;
  readonly SsdMobilenetv1Options: new (options: { minConfidence: number; maxResults: number }) => object;
  readonly TinyFaceDetectorOptions: new (options: { inputSize: number; scoreThreshold: number }) => object;
  detectAllFaces(image: object, options: object): Promise<Detection[]>;
}

interface Detection {
  readonly score: number;
  readonly box: { x: number; y: number; width: number; height: number };
}

/** Everything that might be a face; what counts as one is for the caller to say. */
const LEAST_SCORE = 0.15;
const MOST_RESULTS = 100;
const TINY_INPUT = 416;

const port = parentPort!;

try {
  const find = await load();
  port.on("message", (question: FaceRequest) => {
    find(question).then(
      (sightings) => port.postMessage({ kind: "found", sightings } satisfies FaceResponse),
      (error: unknown) => {
        throw error; // ends the worker: the next picture gets a fresh one
      },
    );
  });
  port.postMessage({ kind: "ready" } satisfies FaceResponse);
} catch (error) {
  port.postMessage({ kind: "unavailable", reason: String(error) } satisfies FaceResponse);
}

async function load(): Promise<(question: FaceRequest) => Promise<FaceCandidate[]>> {
  const require = createRequire((workerData as { packagesFrom: string }).packagesFrom);
  const binaries = dirname(require.resolve("@tensorflow/tfjs-backend-wasm"));
  const api = require("@vladmandic/face-api/dist/face-api.node-wasm.js") as FaceApi;
  const wasm = require("@tensorflow/tfjs-backend-wasm") as { setWasmPaths(folder: string): void };
  const models = join(dirname(require.resolve("@vladmandic/face-api/package.json")), "model");
  wasm.setWasmPaths(`${binaries}/`);
  if (!(await api.tf.setBackend("wasm"))) throw new Error("WebAssembly cannot be used");
  await api.tf.ready();
  await api.nets.ssdMobilenetv1.loadFromDisk(models);
  await api.nets.tinyFaceDetector.loadFromDisk(models);
  return (question) => lookFromAllSides(api, question);
}

/**
 * Two detectors look at the picture upright and lying: each finds faces that the other overlooks. Where upright no face
 * is sure the picture is processed as a whole, and nobody has to look further.
 */
async function lookFromAllSides(api: FaceApi, { rgb, side }: FaceRequest): Promise<FaceCandidate[]> {
  const detectors = [
    {
      by: "thorough",
      options: new api.SsdMobilenetv1Options({ minConfidence: LEAST_SCORE, maxResults: MOST_RESULTS }),
    },
    {
      by: "quick",
      options: new api.TinyFaceDetectorOptions({ inputSize: TINY_INPUT, scoreThreshold: LEAST_SCORE }),
    },
  ] as const;
  const sightings: FaceCandidate[] = [];
  let turned = rgb;
  for (let quarters = 0; quarters < 4; quarters++) {
    const image = api.tf.tensor3d(turned, [side, side, 3], "int32");
    for (const { by, options } of detectors) {
      for (const { score, box } of await api.detectAllFaces(image, options)) {
        sightings.push({ by, quarters, score, ...turnBack(box, side, quarters) });
      }
    }
    image.dispose();
    if (!sightings.some(({ by, score }) => by === "thorough" && score >= CERTAIN_SCORE)) break;
    turned = turnQuarter(turned, side);
  }
  return sightings;
}

/** A square picture, turned a quarter clockwise. */
function turnQuarter(rgb: Uint8Array, side: number): Uint8Array {
  const turned = new Uint8Array(rgb.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + x) * 3;
      const to = (x * side + (side - 1 - y)) * 3;
      turned[to] = rgb[from]!;
      turned[to + 1] = rgb[from + 1]!;
      turned[to + 2] = rgb[from + 2]!;
    }
  }
  return turned;
}

/** Where a box of the turned picture lies in the one that came, in shares of its side. */
function turnBack({ x, y, width, height }: Detection["box"], side: number, quarters: number) {
  let box = { x: x / side, y: y / side, width: width / side, height: height / side };
  for (let i = 0; i < quarters; i++) {
    box = { x: box.y, y: 1 - box.x - box.width, width: box.height, height: box.width };
  }
  return box;
}
