import { Kysely } from "kysely";
import type pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Tables } from "../../registry.ts";
import { type Db, openPool } from "./database.ts";
import { PipelinedDialect } from "./pipelined-dialect.ts";

const CONNECTION_TIMEOUT_MS = 2 * SECOND_MS;
/** How long a node is left out after it could not be reached. */
const PAUSE_MS = 5 * SECOND_MS;

export interface ReadNodes {
  readonly db: Db;
  readonly totalCount: number;
  readonly waitingCount: number;
  close(): Promise<void>;
}

/**
 * Connects to nodes of a cluster in turn, and to the coordinator while none can be reached. All nodes see committed data.
 * The database rejects writes of these connections.
 */
export function connectToReadNodes(
  urls: readonly string[],
  coordinator: pg.Pool,
  log: Log,
  { size, pauseMs = PAUSE_MS }: { size: number; pauseMs?: number },
): ReadNodes {
  const options = { size, connectionTimeoutMs: CONNECTION_TIMEOUT_MS, isReadOnly: true };
  const nodes = urls.map((url) => ({
    ...openPool(url, log, options),
    host: new URL(url).host,
    pausedUntil: 0,
  }));
  let turn = 0;

  const connect = async () => {
    for (const _ of nodes) {
      const node = nodes[turn++ % nodes.length]!;
      if (performance.now() < node.pausedUntil) continue;
      try {
        return await node.pool.connect();
      } catch (error) {
        node.pausedUntil = performance.now() + pauseMs;
        log.warn({ err: error, node: node.host }, "a node for reads cannot be reached, leaving it out");
      }
    }
    return coordinator.connect();
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
