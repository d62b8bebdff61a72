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
  | { readonly kind: "found"; readonly sightings: readonly FaceCandidate[] };

interface Options {
  /** A file next to which the optional packages are looked for. */
  packagesFrom?: string;
  /** What the thread runs; it speaks `FaceQuestion` and `FaceAnswer`. */
  program?: URL;
  limitMs?: number;
  idleMs?: number;
}

const PROGRAM = new URL("face-worker.ts", import.meta.url);
/** A busy small machine needs some seconds; the first picture waits for the models too. */
const LIMIT_MS = 30 * SECOND_MS;
/** The models take some 400 MB, which an idle server gives back. */
const IDLE_MS = 2 * MINUTE_MS;
/** More than these wait for minutes. */
const MOST_WAITING = 12;

/**
 * Looks for faces in a thread of its own, started when the first picture comes and ended when none has come for a while.
 *
 * One picture at a time. A thread that takes too long or breaks is ended, and the next picture gets a fresh one; where
 * the packages are missing that is found out once.
 */
export function createFaceDetector(log: Log, options: Options = {}): FaceDetector {
  const { packagesFrom = import.meta.filename, program = PROGRAM } = options;
  const { limitMs = LIMIT_MS, idleMs = IDLE_MS } = options;
  let worker: Worker | null = null;
  let isUnavailable = false;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | null = null;

  const end = () => {
    void worker?.terminate();
    worker = null;
  };

  const ask = async (question: FaceRequest): Promise<readonly FaceCandidate[] | "unavailable" | "failed"> => {
    if (isUnavailable) return "unavailable";
    if (idle) clearTimeout(idle);
    worker ??= startWorker(program, packagesFrom);
    const answer = await answerOf(worker, question, limitMs);
    if (answer.kind === "found") {
      idle = setTimeout(end, idleMs).unref();
      return answer.sightings;
    }
    end();
    if (answer.kind === "broken") {
      log.warn({ err: answer.error }, "no faces could be looked for: this picture is processed as a whole");
      return "failed";
    }
    isUnavailable = true;
    log.warn({ reason: answer.reason }, "faces cannot be looked for: all pictures are processed as a whole");
    return "unavailable";
  };

  return {
    find(rgb, side) {
      if (waiting >= MOST_WAITING) return Promise.resolve("failed");
      waiting++;
      const found = last.then(() => ask({ rgb, side })).finally(() => waiting--);
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
  // What the libraries say of themselves when they are loaded is read by nobody.
  const worker = new Worker(program, {
    workerData: { packagesFrom },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.unref();
  worker.on("error", () => undefined); // heard by who waits for its answer
  return worker;
}

type Outcome = Exclude<FaceResponse, { kind: "ready" }> | { kind: "broken"; error: unknown };

/** Asks once; a worker that is still loading answers when it is ready. */
function answerOf(worker: Worker, question: FaceRequest, limitMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(limit);
      worker.off("message", hear).off("error", fail).off("exit", fail);
      resolve(outcome);
    };
    const fail = (error: unknown) => settle({ kind: "broken", error });
    const hear = (answer: FaceResponse) => {
      if (answer.kind !== "ready") settle(answer);
    };
    const limit = setTimeout(() => fail(new Error("looking for faces took too long")), limitMs);
    worker.on("message", hear).on("error", fail).on("exit", fail);
    worker.postMessage(question);
  });
}
