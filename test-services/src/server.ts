import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { CHILD_ENV } from "./child-env.ts";

const MAIN = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
const OPTIONS = JSON.parse(
  readFileSync(new URL("../../server/node-options.json", import.meta.url), "utf8"),
) as string[];
const READY_MS = 60_000;

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The real server in a child process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  output(): string;
  readonly exited: Promise<ExitStatus>;
  /** Default SIGTERM. Safe to repeat. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
  /** Simulates the death of the parent process. */
  closeChannel(): Promise<ExitStatus>;
}

/** The server ended before it was ready. */
export class StartError extends Error {
  override name = "StartError";
  readonly output: string;
  readonly ending: ExitStatus;

  constructor(output: string, ending: ExitStatus) {
    super(`the server ended with ${ending.code ?? ending.signal} before it was ready:\n${output}`);
    this.output = output;
    this.ending = ending;
  }
}

/**
 * Starts `server/src/main.ts` on a free port and waits until it is ready. The environment has only the PATH and
 * `variables`. The server ends with this process.
 */
export async function startServer(
  variables: Record<string, string | undefined>,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...OPTIONS, MAIN, ...args], {
    env: { ...CHILD_ENV, PORT: "0", ...variables },
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
  if (typeof first !== "string") throw new StartError(output, first);
  return {
    url: first,
    pid: child.pid!,
    output: () => output,
    exited: ended,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    closeChannel() {
      child.disconnect();
      return ended;
    },
  };
}

/** The settings of a server behind a proxy, which needs a folder for its secrets outside of its data folder. */
export async function behindProxy(secretsDir: string) {
  const PORT = String(await freePort());
  return {
    PORT,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    TRUST_PROXY: "on",
    SECRETS_DIR: secretsDir,
    SMTP_URL: "smtp://127.0.0.1:9", // no server listens there
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function endingOf(child: ChildProcess): Promise<ExitStatus> {
  const read = [child.stdout!, child.stderr!].map((stream) => once(stream, "end"));
  const [code, signal] = (await once(child, "exit")) as [ExitStatus["code"], ExitStatus["signal"]];
  await Promise.all(read);
  return { code, signal };
}
