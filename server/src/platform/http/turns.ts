import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { SECOND_MS } from "../clock.ts";
import { ApiError } from "../errors.ts";
import { KeyedFairQueues } from "../lib/fair-queue.ts";
import { networkOf, widerNetworksOf } from "../security/client-network.ts";
import { tooManyRequests } from "../security/rate-limits.ts";

const OF_SUBJECT = { permits: 4, maxWaiting: 64 };
const OF_NETWORK = { permits: 32, maxWaiting: 500 };
const MAX_WAIT_MS = 10 * SECOND_MS;
/** Longer than a lock's timeout, for connections that became silent. */
const MAX_TURN_MS = 10 * SECOND_MS;
/** Slows clients that repeat at once. */
const REJECTION_DELAY_MS = SECOND_MS;
/** A request over its limit keeps the turn. */
const KEPT_MS = 100;

export interface Sender {
  readonly subject: `member ${number}` | `address ${string}` | null;
  readonly ip: string;
  readonly token?: string | null;
}

/**
 * A request waits here before it uses the database (docs/product-rules.md, Rate limits). The subject's turn comes before
 * that of the network: a member who waits for themselves delays no neighbour. A token names its member's turn after the end
 * of its session too, so requests with one token displace those with no other.
 */
export class Turns {
  readonly #subjects: KeyedFairQueues;
  /** Null without rate limits: load tests come from one network. */
  readonly #networks: KeyedFairQueues | null;

  constructor({ hasRateLimits }: Pick<Config, "hasRateLimits">) {
    const whenFull = () => tooManyRequests(MAX_WAIT_MS);
    const limits = hasRateLimits ? { maxWaitMs: MAX_WAIT_MS } : { maxWaiting: Infinity };
    this.#subjects = new KeyedFairQueues({ ...OF_SUBJECT, ...limits, whenFull });
    this.#networks = hasRateLimits ? new KeyedFairQueues({ ...OF_NETWORK, ...limits, whenFull }) : null;
  }

  async run<T>({ subject, ip, token }: Sender, task: () => Promise<T>): Promise<T> {
    const network = networkOf(ip);
    let running: Promise<T>;
    let failure: unknown = null;
    const begin = async () => {
      running = task();
      failure = await failureOrTimeout(running);
    };
    // An address is no proof: one visitor may name many.
    const group = subject?.startsWith("member ") ? subject : "visitors";
    const inNetwork = async () => (this.#networks ? this.#networks.run(network, [group], begin) : begin());
    const inTurn = async () => {
      await inNetwork();
      if (failure instanceof ApiError && failure.status === 429) await wait(KEPT_MS);
    };
    try {
      await (subject === null
        ? inNetwork()
        : this.#subjects.run(subject, token ? [token] : networksOf(network), inTurn));
    } catch (error) {
      await wait(REJECTION_DELAY_MS);
      throw error;
    }
    return running!;
  }
}

/** The requests about an address from one network displace those of no other. */
function networksOf(network: string): string[] {
  return [network, ...widerNetworksOf(network).map((wider) => wider.network)];
}

async function failureOrTimeout(task: Promise<unknown>): Promise<unknown> {
  return new Promise((end) => {
    const timer = setTimeout(end, MAX_TURN_MS, null);
    const endEarly = (failure: unknown) => {
      clearTimeout(timer);
      end(failure);
    };
    task.then(() => endEarly(null), endEarly);
  });
}
