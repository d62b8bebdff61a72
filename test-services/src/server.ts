import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { COMPILED } from "./compile-cache.ts";

const MAIN = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
const OPTIONS = JSON.parse(
  readFileSync(new URL("../../server/node-options.json", import.meta.url), "utf8"),
) as string[];
const READY_MS = 60_000;

/** How a server process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The real server in a process of its own. */
export interface ServerProcess {
  /** The address that it printed. */
  readonly url: string;
  readonly pid: number;
  /** All that it has printed so far, both ways. */
  output(): string;
  readonly ended: Promise<Ending>;
  /** Ends it by a signal, SIGTERM unless told, and answers how it went; harmless to repeat. */
  end(signal?: NodeJS.Signals): Promise<Ending>;
  /** Closes the channel to it, as happens when whoever started it dies. */
  abandon(): Promise<Ending>;
}

/** Thrown when a server ends before it was ready. */
export class NotStarted extends Error {
  override name = "NotStarted";
  readonly output: string;
  readonly ending: Ending;

  constructor(output: string, ending: Ending) {
    super(`the server ended with ${ending.code ?? ending.signal} before it was ready:\n${output}`);
    this.output = output;
    this.ending = ending;
  }
}

/**
 * Starts `server/src/main.ts` on a free port and answers when it is ready. Of our own environment it gets the path
 * alone, so that `variables` say everything; when we die, it stops by itself.
 */
export async function startServer(variables: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...OPTIONS, MAIN], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", ...COMPILED, ...variables },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = endingOf(child);
  let output = "";
  const ready = new Promise<string>((resolve) => {
    const read = (text: string) => {
      output += text;
      const [, address] = / is ready at (\S+)\n/.exec(output) ?? [];
      if (address) resolve(address);
    };
    child.stdout!.setEncoding("utf8").on("data", read);
    child.stderr!.setEncoding("utf8").on("data", read);
  });

  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS);
  const first = await Promise.race([ready, ended]);
  clearTimeout(timer);
  if (typeof first !== "string") throw new NotStarted(output, first);
  return {
    url: first,
    pid: child.pid!,
    output: () => output,
    ended,
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    abandon() {
      child.disconnect();
      return ended;
    },
  };
}

/** How a process ended, once all that it said has been read. */
async function endingOf(child: ChildProcess): Promise<Ending> {
  const read = [child.stdout!, child.stderr!].map((stream) => once(stream, "end"));
  const [code, signal] = (await once(child, "exit")) as [Ending["code"], Ending["signal"]];
  await Promise.all(read);
  return { code, signal };
}
