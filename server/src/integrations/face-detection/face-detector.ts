import { Worker } from "node:worker_threads";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import type { FaceDetector, FaceCandidate } from "./face-detection.ts";
import type { Log } from "../../platform/log.ts";

export interface FaceRequest {
  readonly rgb: Uint8Array;
  readonly side: number;
}

export type FaceResponse =
  | { readonly kind: "ready" }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "found"; readonly candidates: readonly FaceCandidate[] };

interface Options {
  packagesFrom?: string;
  program?: URL;
  timeoutMs?: number;
  idleMs?: number;
}

const PROGRAM = new URL("face-worker.ts", import.meta.url);
/** A small busy machine needs seconds, and the first picture also loads the models. */
const TIMEOUT_MS = 30 * SECOND_MS;
/** The models use 400 MB, which an idle server frees. */
const IDLE_MS = 2 * MINUTE_MS;
const MAX_WAITING = 12;

/** One worker thread detects one picture at a time. It ends when idle, failing or slow. */
export function createFaceDetector(log: Log, options: Options = {}): FaceDetector {
  const { packagesFrom = import.meta.filename, program = PROGRAM } = options;
  const { timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = options;
  let worker: Worker | null = null;
  let isUnavailable = false;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | null = null;

  const end = () => {
    void worker?.terminate();
    worker = null;
  };

  const run = async (request: FaceRequest): Promise<readonly FaceCandidate[] | "unavailable" | "failed"> => {
    if (isUnavailable) return "unavailable";
    if (idle) clearTimeout(idle);
    worker ??= startWorker(program, packagesFrom);
    const response = await requestFaces(worker, request, timeoutMs);
    if (response.kind === "found") {
      idle = setTimeout(end, idleMs).unref();
      return response.candidates;
    }
    end();
    if (response.kind === "broken") {
      log.warn({ err: response.error }, "face detection failed, the whole picture is processed");
      return "failed";
    }
    isUnavailable = true;
    log.warn({ reason: response.reason }, "face detection is unavailable, whole pictures are processed");
    return "unavailable";
  };

  return {
    detect(rgb, side) {
      if (waiting >= MAX_WAITING) return Promise.resolve("failed");
      waiting++;
      const found = last.then(() => run({ rgb, side })).finally(() => waiting--);
      last = found;
      return found;
    },
    close() {
      if (idle) clearTimeout(idle);
      end();
    },
  };
}

function startWorker(program: URL, packagesFrom: string): Worker {
  const worker = new Worker(program, {
    workerData: { packagesFrom },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.unref();
  worker.on("error", () => undefined);
  return worker;
}

type Outcome = Exclude<FaceResponse, { kind: "ready" }> | { kind: "broken"; error: unknown };

function requestFaces(worker: Worker, request: FaceRequest, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      worker.off("message", handle).off("error", fail).off("exit", fail);
      resolve(outcome);
    };
    const fail = (error: unknown) => settle({ kind: "broken", error });
    const handle = (response: FaceResponse) => {
      if (response.kind !== "ready") settle(response);
    };
    const timer = setTimeout(() => fail(new Error("face detection timed out")), timeoutMs);
    worker.on("message", handle).on("error", fail).on("exit", fail);
    worker.postMessage(request);
  });
}
