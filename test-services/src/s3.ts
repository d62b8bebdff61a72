import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portOf } from "./start-child-server.ts";

/** An object store that speaks S3, in a process and a folder of its own. */
export interface ObjectStore {
  /** For the server's settings. */
  readonly s3: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  /** Where it keeps the objects. */
  readonly directory: string;
  /** Lets it take connections and answer nothing, until `wakeUp`. */
  fallAsleep(): void;
  wakeUp(): void;
  /** Ends the process; the objects stay. */
  breakDown(): Promise<void>;
  /** Starts it again at the same address. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = "pictures";

/** Starts an object store on loopback, with an empty bucket. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), "alcove-objects-"));
  let { child, port } = await start(directory, 0);
  const breakDown = async () => {
    const hasEnded = new Promise((done) => child.once("exit", done));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await hasEnded;
  };
  return {
    s3: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
    },
    directory,
    fallAsleep: () => void child.kill("SIGSTOP"),
    wakeUp: () => void child.kill("SIGCONT"),
    breakDown,
    async recover() {
      ({ child, port } = await start(directory, port));
    },
    async close() {
      await breakDown();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function start(directory: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const program = join(import.meta.dirname, "s3-server.ts");
  // Its pages of lists are marked with a cipher that Node counts as outdated.
  const execArgv = ["--openssl-legacy-provider", "--disable-warning=DEP0040"];
  const child = fork(program, [directory, BUCKET, String(port)], { execArgv });
  return { child, port: await portOf(child) };
}
