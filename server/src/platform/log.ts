import { write, writeSync } from "node:fs";
import { type DestinationStream, pino, type Logger } from "pino";
import { traceIdForLog } from "./tracing.ts";

export type Log = Logger;

/**
 * The log holds no personal content, address, token or code: requests are logged by route, and errors without the
 * values that PostgreSQL quotes.
 */
export function openLog(level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ["busboyOptions", "path"], remove: true },
    serializers: { err: describeError },
    mixin: traceIdForLog,
  };
  return pino(options, (output ??= new Output(process.stdout.fd)));
}

let output: Output | null = null;

const FINAL_WRITE_MS = 500;
const BUSY_MS = 20;

/** NOTE: pino's own stream retries endlessly at the end of the process when the reader of the log is gone. */
class Output implements DestinationStream {
  readonly #fd: number;
  #waiting: string[] = [];
  #isWriting = false;
  #isBroken = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.once("exit", () => this.#writeLast());
  }

  write(line: string): void {
    if (this.#isBroken) return;
    this.#waiting.push(line);
    if (!this.#isWriting) this.#writeWaiting();
  }

  #writeWaiting(): void {
    this.#isWriting = true;
    this.#put(Buffer.from(this.#waiting.splice(0).join("")));
  }

  #put(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      const rest = bytes.subarray(error ? 0 : written);
      if (error?.code === "EAGAIN") setTimeout(() => this.#put(rest), BUSY_MS).unref();
      else if (error) this.#discard();
      else if (rest.length > 0) this.#put(rest);
      else if (this.#waiting.length > 0) this.#writeWaiting();
      else this.#isWriting = false;
    });
  }

  #discard(): void {
    this.#isBroken = true;
    this.#waiting = [];
  }

  #writeLast(): void {
    let rest = Buffer.from(this.#waiting.splice(0).join(""));
    const end = performance.now() + FINAL_WRITE_MS;
    while (rest.length > 0 && performance.now() < end) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      }
    }
  }
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    table,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
