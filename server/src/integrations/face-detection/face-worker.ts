import { parentPort, workerData } from "node:worker_threads";
import { loadFaceApi } from "./face-api.ts";
import { CERTAIN_SCORE, type FaceCandidate } from "./face-detection.ts";
import type { FaceResponse, FaceRequest } from "./face-detector.ts";

/** The used part of `@vladmandic/face-api`, which is optional and may not be installed. */
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

const MIN_SCORE = 0.15;
const MAX_RESULTS = 100;
const TINY_INPUT = 416;

const port = parentPort!;

try {
  const detect = await load();
  port.on("message", (request: FaceRequest) => {
    detect(request).then(
      (candidates) => port.postMessage({ kind: "found", candidates } satisfies FaceResponse),
      (error: unknown) => {
        throw error;
      },
    );
  });
  port.postMessage({ kind: "ready" } satisfies FaceResponse);
} catch (error) {
  port.postMessage({ kind: "unavailable", reason: String(error) } satisfies FaceResponse);
}

async function load(): Promise<(request: FaceRequest) => Promise<FaceCandidate[]>> {
  const { packagesFrom } = workerData as { packagesFrom: string };
  const { api, models } = await loadFaceApi<FaceApi>(packagesFrom);
  await api.nets.ssdMobilenetv1.loadFromDisk(models);
  await api.nets.tinyFaceDetector.loadFromDisk(models);
  return (request) => detectInAllRotations(api, request);
}

/** Each detector finds faces that the other misses. Without a certain upright face the whole picture is processed. */
async function detectInAllRotations(api: FaceApi, { rgb, side }: FaceRequest): Promise<FaceCandidate[]> {
  const detectors = [
    {
      by: "thorough",
      options: new api.SsdMobilenetv1Options({ minConfidence: MIN_SCORE, maxResults: MAX_RESULTS }),
    },
    {
      by: "quick",
      options: new api.TinyFaceDetectorOptions({ inputSize: TINY_INPUT, scoreThreshold: MIN_SCORE }),
    },
  ] as const;
  const candidates: FaceCandidate[] = [];
  let rotated = rgb;
  for (let quarters = 0; quarters < 4; quarters++) {
    const image = api.tf.tensor3d(rotated, [side, side, 3], "int32");
    for (const { by, options } of detectors) {
      for (const { score, box } of await api.detectAllFaces(image, options)) {
        candidates.push({ by, quarters, score, ...rotateBack(box, side, quarters) });
      }
    }
    image.dispose();
    if (!candidates.some(({ by, score }) => by === "thorough" && score >= CERTAIN_SCORE)) break;
    rotated = rotateQuarter(rotated, side);
  }
  return candidates;
}

function rotateQuarter(rgb: Uint8Array, side: number): Uint8Array {
  const rotated = new Uint8Array(rgb.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + x) * 3;
      const to = (x * side + (side - 1 - y)) * 3;
      rotated[to] = rgb[from]!;
      rotated[to + 1] = rgb[from + 1]!;
      rotated[to + 2] = rgb[from + 2]!;
    }
  }
  return rotated;
}

function rotateBack({ x, y, width, height }: Detection["box"], side: number, quarters: number) {
  let box = { x: x / side, y: y / side, width: width / side, height: height / side };
  for (let i = 0; i < quarters; i++) {
    box = { x: box.y, y: 1 - box.x - box.width, width: box.height, height: box.width };
  }
  return box;
}
