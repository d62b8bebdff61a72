import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHILD_ENV } from "./child-env.ts";
import { readPort } from "./start-child-server.ts";

/** An S3 object store in a child process. */
export interface ObjectStore {
  readonly s3: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  readonly directory: string;
  /** Accepts connections without a response until resumed. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = "pictures";

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
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: breakDown,
    async restart() {
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
  // s3rver signs its list markers with a legacy cipher.
  const execArgv = ["--openssl-legacy-provider", "--disable-warning=DEP0040"];
  const child = fork(program, [directory, BUCKET, String(port)], { execArgv, env: CHILD_ENV });
  return { child, port: await readPort(child) };
}
