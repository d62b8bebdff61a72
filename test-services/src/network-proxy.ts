import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy whose connections can be cut. */
export interface NetworkProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** Ends all connections at once and accepts no new ones. */
  cut(): void;
  mend(): void;
  /** Drops all data of the open connections without closing them. */
  silence(): void;
  close(): Promise<void>;
}

export async function startNetworkProxy(to: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
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
      one.pipe(other);
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
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
    },
    silence() {
      for (const socket of open) socket.unpipe().pause();
    },
    async close() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}

function addressed(to: string, port: number): string {
  const url = new URL(to);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href.replace(/\/$/, "");
}
