import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailbox } from "@alcove/test-services/mail";
import { startNats } from "@alcove/test-services/nats";
import { startNetworkProxy, type NetworkProxy } from "@alcove/test-services/network-proxy";
import { startPayPal, type FakePayPal } from "@alcove/test-services/paypal";
import { startPostgres } from "@alcove/test-services/postgres";
import { startObjectStore } from "@alcove/test-services/s3";
import { pause } from "@alcove/test-services/waiting";
import { freePort, StartError, startServer, type ServerProcess } from "@alcove/test-services/server";

const dependencies = ["postgres", "nats", "s3", "paypal", "smtp"] as const;
export type Dependency = (typeof dependencies)[number];
/** The time limit for a start during outages. */
const START_MS = 120_000;
type Lines = Record<Dependency, NetworkProxy>;

/** A server process, and the proxies between it and its clients and dependencies. */
export interface Node {
  readonly url: string;
  readonly clients: NetworkProxy;
  readonly lines: Lines;
  end(signal: NodeJS.Signals): Promise<unknown>;
  restart(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  isFaulted: boolean;
}

export type Deployment = Awaited<ReturnType<typeof openDeployment>>;

/** Two servers with real PostgreSQL and NATS, and fakes over the wire for the others; every connection has a proxy. */
export async function openDeployment(variables: Record<string, string>) {
  const started = new Started();
  try {
    const dataDir = await mkdtemp(join(tmpdir(), "alcove-chaos-"));
    await chmod(dataDir, 0o755);
    started.onClose(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const postgres = await started.add(startPostgres(dataDir));
    const nats = await started.add(startNats());
    const store = await started.add(startObjectStore());
    const mailbox = await started.add(startMailbox());
    const paypal = await openPayPal(join(dataDir, "paypal.json"));
    started.onClose(() => paypal.current.close());
    /** Ends of servers that no failure of this run caused. */
    const crashes: string[] = [];
    const open = async (): Promise<Node> => {
      const sources = {
        postgres: postgres.url,
        nats: nats.url,
        s3: store.s3.endpoint,
        paypal: paypal.current.origin,
        smtp: mailbox.url,
      };
      const lines = await openLines(sources, started);
      const settings = () => ({
        ...variables,
        ...paypal.current.variables,
        DATA_DIR: dataDir,
        DATABASE_URL: lines.postgres.url,
        NATS_URL: lines.nats.url,
        SMTP_URL: lines.smtp.url,
        PAYPAL_API_URL: lines.paypal.url,
        S3_ENDPOINT: lines.s3.url,
        S3_BUCKET: store.s3.bucket,
        S3_REGION: store.s3.region,
        S3_ACCESS_KEY_ID: store.s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.s3.secretAccessKey,
      });
      return openNode(settings, lines, started, (end) => crashes.push(end));
    };
    // One after the other: the first start writes the secrets.
    const nodes = [await open(), await open()] as const;
    const urls = nodes.map(({ url }) => url);
    await paypal.sendWebhooksTo(`${urls[0]}/webhooks/paypal`);
    const close = async () => started.close();
    return { postgres, nats, store, mailbox, paypal, nodes, crashes, urls, close };
  } catch (error) {
    await started.close();
    throw error;
  }
}

/** Everything that runs, to be closed in reverse order. */
class Started {
  readonly #closers: (() => Promise<unknown>)[] = [];

  onClose(closer: () => Promise<unknown>): void {
    this.#closers.push(closer);
  }

  async add<T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    this.onClose(() => started.close());
    return started;
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.toReversed()) await closer();
  }
}

async function openLines(sources: Record<Dependency, string>, started: Started): Promise<Lines> {
  const proxies = dependencies.map(
    async (name) => [name, await started.add(startNetworkProxy(sources[name]))] as const,
  );
  return Object.fromEntries(await Promise.all(proxies)) as Lines;
}

/** A server process that is started again when it ends. `settings` may change between two starts. */
async function openNode(
  settings: () => Record<string, string>,
  lines: Lines,
  started: Started,
  onCrash: (end: string) => void,
): Promise<Node> {
  const PORT = String(await freePort());
  const start = () => startServer({ ...settings(), PORT });
  const clients = await started.add(startNetworkProxy(`http://127.0.0.1:${PORT}`));
  let running: ServerProcess = await start();
  let isEnding = false;
  const node: Node = {
    url: clients.url,
    clients,
    lines,
    end(signal) {
      isEnding = true;
      return running.stop(signal);
    },
    async restart() {
      running = await startDespiteOutages(start);
      isEnding = false;
      void supervise();
    },
    signal(signal) {
      if (!isEnding) process.kill(running.pid, signal);
    },
    isFaulted: false,
  };
  const supervise = async () => {
    const { exited, output } = running;
    const { code, signal } = await exited;
    if (isEnding) return;
    isEnding = true;
    onCrash(`a server ended with ${code ?? signal}: ${output().slice(-2_000)}`);
    await node.restart();
  };
  void supervise();
  started.onClose(() => node.end("SIGKILL"));
  return node;
}

/** A start fails while the database is down; a supervisor repeats it. */
async function startDespiteOutages(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  const end = performance.now() + START_MS;
  for (let waitMs = 200; ; waitMs = Math.min(2 * waitMs, 2_000)) {
    try {
      return await start();
    } catch (error) {
      const isOutage = error instanceof StartError && /DATABASE_URL|NATS_URL/.test(error.output);
      if (!isOutage || performance.now() > end) throw error;
      await pause(waitMs);
    }
  }
}

async function openPayPal(stateFile: string) {
  let current: FakePayPal = await startPayPal({ stateFile });
  let webhooks: string | null = null;
  const port = Number(new URL(current.origin).port);
  return {
    get current() {
      return current;
    },
    async sendWebhooksTo(url: string) {
      webhooks = url;
      await current.sendWebhooksTo(url);
    },
    kill: () => current.kill(),
    async restart() {
      current = await startPayPal({ stateFile, port });
      await current.sendWebhooksTo(webhooks);
    },
  };
}
