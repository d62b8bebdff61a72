import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A TCP proxy whose connections can be cut. */
export interface NetworkProxy {
  readonly url: string;
  isConnected(): boolean;
  /** Ends all connections at once and accepts no new ones. */
  cut(): void;
  /** Holds each chunk of data for a time, in both directions; `Infinity` accepts connections without a response. */
  slow(ms: number): void;
  /** Ends a cut and releases held data. */
  mend(): void;
  /** Drops all data of the open connections without closing them. */
  silence(): void;
  close(): Promise<void>;
}

export async function startNetworkProxy(to: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  const line = new Line();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(line.open()).pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the line has no port");

  const endAll = () => open.forEach((socket) => socket.destroy());
  return {
    url: addressed(to, address.port),
    isConnected: () => open.size > 0,
    cut() {
      isCut = true;
      endAll();
    },
    slow: (ms) => line.setDelay(ms),
    mend() {
      isCut = false;
      line.setDelay(0);
    },
    silence() {
      for (const socket of open) socket.unpipe().pause();
    },
    async close() {
      endAll();
      line.setDelay(0);
      server.close();
      await once(server, "close");
    },
  };
}

class Line {
  #delayMs = 0;
  #held = new Set<() => void>();

  setDelay(ms: number): void {
    this.#delayMs = ms;
    const held = [...this.#held];
    for (const release of held) release();
  }

  open(): Transform {
    return new Transform({
      transform: (chunk, _, done) => this.#hold(() => done(null, chunk)),
    });
  }

  #hold(pass: () => void): void {
    if (this.#delayMs === 0) return pass();
    const release = () => {
      clearTimeout(timer);
      if (this.#held.delete(release)) pass();
    };
    const timer = this.#delayMs === Infinity ? undefined : setTimeout(release, this.#delayMs);
    this.#held.add(release);
  }
}

function addressed(to: string, port: number): string {
  const url = new URL(to);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href.replace(/\/$/, "");
}
