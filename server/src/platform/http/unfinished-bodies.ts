import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { networkOf, surroundingsOf } from "../security/client-network.ts";
import { endStalled } from "./client-error.ts";

/** With the largest body each, they need 64 MB. */
const MAX_UNFINISHED = 250;

/**
 * Requests whose body is on its way (docs/product-rules.md, Rate limits). Beyond the limit, the oldest one ends of the
 * network that has the most: slow bodies displace no fast ones, and no other network's.
 */
export class UnfinishedBodies {
  readonly #networks = new Map<IncomingMessage, string>();
  readonly #bodies = new Map<string, Set<IncomingMessage>>();

  add({ raw, ip }: FastifyRequest): void {
    const { "content-length": length = "0", "transfer-encoding": encoding } = raw.headers;
    if (encoding === undefined && Number(length) === 0) return;
    const network = surroundingsOf(networkOf(ip));
    const bodies = this.#bodies.get(network) ?? new Set();
    this.#bodies.set(network, bodies.add(raw));
    this.#networks.set(raw, network);
    for (const end of ["end", "close"]) raw.once(end, () => this.delete(raw));
    if (this.#networks.size > MAX_UNFINISHED) this.#endOne();
  }

  delete(raw: IncomingMessage): void {
    const network = this.#networks.get(raw);
    if (network === undefined) return;
    this.#networks.delete(raw);
    const bodies = this.#bodies.get(network)!;
    bodies.delete(raw);
    if (bodies.size === 0) this.#bodies.delete(network);
  }

  #endOne(): void {
    let most = new Set<IncomingMessage>();
    for (const bodies of this.#bodies.values()) if (bodies.size > most.size) most = bodies;
    const [oldest] = most;
    this.delete(oldest!);
    endStalled(oldest!.socket);
  }
}
