import { Kysely } from "kysely";
import type pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Tables } from "../../registry.ts";
import { type Db, openPool } from "./database.ts";
import { type CorkableClient, PipelinedDialect } from "./pipelined-dialect.ts";

const CONNECTION_TIMEOUT_MS = 2 * SECOND_MS;
/** A frozen node keeps its connections open, so no error shows that it is lost. */
const RESPONSE_TIMEOUT_MS = 5 * SECOND_MS;
/** How long a node is left out after it was lost. */
const PAUSE_MS = 5 * SECOND_MS;

interface Options {
  readonly size: number;
  readonly connectionTimeoutMs?: number;
  readonly responseTimeoutMs?: number;
  readonly pauseMs?: number;
}

interface Node {
  readonly pool: pg.Pool;
  readonly host: string;
  /** 0 while the node responds. */
  pausedUntil: number;
  end(): Promise<void>;
}

export interface ReadNodes {
  readonly db: Db;
  readonly totalCount: number;
  readonly waitingCount: number;
  close(): Promise<void>;
}

/**
 * Connects to nodes of a cluster in turn, and to the coordinator while none responds. All nodes see committed data.
 * The database rejects writes of these connections.
 */
export function connectToReadNodes(
  urls: readonly string[],
  coordinator: pg.Pool,
  log: Log,
  {
    size,
    connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
    responseTimeoutMs = RESPONSE_TIMEOUT_MS,
    pauseMs = PAUSE_MS,
  }: Options,
): ReadNodes {
  const options = { size, connectionTimeoutMs, isReadOnly: true };
  const nodes = urls.map((url): Node => ({
    ...openPool(url, log, options),
    host: new URL(url).host,
    pausedUntil: 0,
  }));
  let turn = 0;

  const pause = (node: Node, err: unknown) => {
    node.pausedUntil = performance.now() + pauseMs;
    log.warn({ err, node: node.host }, "a node for reads is lost, leaving it out");
  };
  const connect = async () => {
    for (const _ of nodes) {
      const node = nodes[turn++ % nodes.length]!;
      const now = performance.now();
      if (now < node.pausedUntil) continue;
      if (node.pausedUntil > 0) node.pausedUntil = now + pauseMs; // one call tries the node, others need not wait
      try {
        return closeWhenSilent(node, await node.pool.connect());
      } catch (error) {
        pause(node, error);
      }
    }
    return coordinator.connect();
  };
  /** Closes the connection unless it is released in time. Its statement then throws, as on a lost node. */
  const closeWhenSilent = (node: Node, client: pg.PoolClient) => {
    const release = client.release;
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      const error = new Error(`no response in ${responseTimeoutMs} ms`);
      pause(node, error);
      (client as pg.PoolClient & CorkableClient).socket.destroy(error);
    }, responseTimeoutMs);
    client.release = (destroy) => {
      clearTimeout(timer);
      if (!isSilent) node.pausedUntil = 0;
      release.call(client, destroy);
    };
    return client;
  };
  const end = async () => {
    await Promise.all(nodes.map((node) => node.end()));
  };
  const db = new Kysely<Tables>({ dialect: new PipelinedDialect({ connect, end }) });
  const sumOf = (count: "totalCount" | "waitingCount") =>
    nodes.reduce((sum, { pool }) => sum + pool[count], 0);
  return {
    db,
    get totalCount() {
      return sumOf("totalCount");
    },
    get waitingCount() {
      return sumOf("waitingCount");
    },
    close: () => db.destroy(),
  };
}
