import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHILD_ENV } from "./child-env.ts";

export interface NatsServer {
  /** For `NATS_URL`, with credentials if any. */
  readonly url: string;
  /** For `NODE_EXTRA_CA_CERTS`; null without TLS. */
  readonly certificate: string | null;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Accepts connections without a response until resumed. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

interface NatsOptions {
  /** `user:password` or a token. */
  credentials?: string;
  tls?: boolean;
  /** A configuration file that takes the credentials' password from `NATS_PASSWORD`. */
  config?: string;
}

const READY_MS = 10_000;
/** nats-server does not notice our exit: this shell kills it when our end of its stdin closes. */
const WATCHED = 'nats-server "$@" & echo "pid $!" >&2; cat > /dev/null; kill -9 $!; wait';

/** Needs `nats-server` on the PATH (Debian and Homebrew: package `nats-server`). */
export async function startNats({ credentials, tls = false, config }: NatsOptions = {}): Promise<NatsServer> {
  const secure = tls ? makeCertificate() : null;
  const [user = "", password] = credentials?.split(":") ?? [];
  const authorization = password === undefined ? ["--auth", user] : ["--user", user, "--pass", password];
  const options = [
    "--addr",
    "127.0.0.1",
    ...(config === undefined ? (credentials === undefined ? [] : authorization) : ["--config", config]),
    ...(secure === null ? [] : ["--tls", "--tlscert", secure.certificate, "--tlskey", secure.key]),
  ];
  const env = { ...CHILD_ENV, NATS_PASSWORD: password };
  let running = await start([...options, "--port", "-1"], env);
  const { port } = running;
  const breakDown = async () => {
    if (running.child.exitCode !== null) return;
    running.child.stdin!.end();
    await once(running.child, "exit");
  };
  const at = credentials === undefined ? "" : `${credentials}@`;
  return {
    url: `${tls ? "tls" : "nats"}://${at}127.0.0.1:${port}`,
    certificate: secure?.certificate ?? null,
    kill: breakDown,
    async restart() {
      running = await start([...options, "--port", String(port)], env);
    },
    pause: () => void process.kill(running.pid, "SIGSTOP"),
    resume: () => void process.kill(running.pid, "SIGCONT"),
    async close() {
      await breakDown();
      if (secure) rmSync(secure.folder, { recursive: true, force: true });
    },
  };
}

async function start(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; pid: number; port: number }> {
  const child = spawn("sh", ["-c", WATCHED, "sh", ...options], { env, stdio: ["pipe", "ignore", "pipe"] });
  let output = "";
  const timer = setTimeout(() => child.stdin.end(), READY_MS);
  for await (const text of child.stderr.setEncoding("utf8")) {
    output += text as string;
    if (/not found/.test(output)) break;
    const [, port] = /client connections on \S+:(\d+)/.exec(output) ?? [];
    const [, pid] = /^pid (\d+)/m.exec(output) ?? [];
    if (!port || !pid || !output.includes("Server is ready")) continue;
    clearTimeout(timer);
    return { child, pid: Number(pid), port: Number(port) };
  }
  clearTimeout(timer);
  child.stdin.end();
  throw new Error(
    /not found/.test(output)
      ? "nats-server is missing: install it (Debian: apt-get install nats-server; macOS: brew install nats-server)"
      : `nats-server did not start:\n${output}`,
  );
}

/** A self-signed certificate for 127.0.0.1, valid for a day. */
function makeCertificate(): { folder: string; certificate: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "alcove-nats-"));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const what = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
  const whom = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...what, ...whom, "-keyout", key, "-out", certificate], {
    stdio: "pipe",
  });
  return { folder, certificate, key };
}
