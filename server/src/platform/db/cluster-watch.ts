import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { MINUTE_MS, SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import { LostShards } from "./lost-shards.ts";
import type { Database } from "./database.ts";
import type { CorkableClient } from "./pipelined-dialect.ts";

const RESPONSE_MS = 2 * SECOND_MS;
/** Shorter, because some node is lost. */
const NODE_RESPONSE_MS = SECOND_MS;
const CONNECTION_TIMEOUT_MS = 5 * SECOND_MS;
const PAUSE_MS = SECOND_MS;
const CHECK_MS = 0.5 * SECOND_MS;
/** A database can become a cluster. */
const SINGLE_PAUSE_MS = MINUTE_MS;
const IS_CLUSTER = "select to_regproc('run_command_on_all_nodes') is not null as yes";
const ARE_NODES_UP =
  "select coalesce(bool_and(success), true) as yes from run_command_on_all_nodes('select 1')";
const NODES = "select groupid, nodename, nodeport from pg_dist_node where isactive and groupid > 0";
const IS_NODE_UP = "select citus_check_connection_to_node($1, $2) as yes";

interface Node {
  readonly groupid: number;
  readonly nodename: string;
  readonly nodeport: number;
}

/**
 * Watches the nodes of a cluster on a connection of its own. While one of them does not respond, connections that are in
 * use for two seconds are closed, and statements for its shards are rejected where they are known.
 *
 * A frozen node keeps its connections open. The coordinator then waits without an end, even to cancel a statement, so
 * that a timeout of the database does not help. Each such statement occupies one of its connections until then.
 */
export class ClusterWatch {
  readonly #url: string;
  readonly #log: Log;
  readonly #databases: readonly Database[];
  readonly #busySince = new Map<pg.PoolClient, number>();
  readonly #end = new AbortController();
  readonly #watching: Promise<void>;
  #client: pg.Client | null = null;
  /** Null while all nodes respond. */
  #outage: AbortController | null = null;

  constructor(url: string, log: Log, databases: readonly Database[]) {
    this.#url = url;
    this.#log = log;
    this.#databases = databases;
    for (const { pool } of databases) {
      pool.on("acquire", (client) => this.#busySince.set(client, performance.now()));
      pool.on("release", (_, client) => this.#busySince.delete(client));
    }
    this.#watching = this.#watch();
  }

  areNodesUp(): boolean {
    return this.#outage === null;
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#outage?.abort();
    await this.#disconnect();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const isCluster = await this.#check().catch(async () => {
        await this.#disconnect();
        return true;
      });
      const pauseMs = isCluster ? PAUSE_MS : SINGLE_PAUSE_MS;
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Waits for a frozen node until it goes on. Returns false for a single database. */
  async #check(): Promise<boolean> {
    const client = (this.#client ??= await this.#connect());
    if (!(await ask(client, IS_CLUSTER))) {
      await this.#disconnect();
      return false;
    }
    const startedAt = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - startedAt > RESPONSE_MS) this.#record(false);
    }, CHECK_MS);
    try {
      this.#record(await ask(client, ARE_NODES_UP));
      return true;
    } finally {
      clearInterval(timer);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "alcove watch",
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on("error", () => undefined); // the next statement throws
    await client.connect();
    return client;
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  #record(areNodesUp: boolean): void {
    if (areNodesUp && this.#outage) {
      this.#outage.abort();
      this.#outage = null;
      for (const { db } of this.#databases) LostShards.end(db);
      this.#log.info("all nodes of the cluster respond again");
    }
    if (areNodesUp || this.#end.signal.aborted) return;
    this.#outage ??= this.#begin();
    this.#closeSilent();
  }

  #begin(): AbortController {
    const outage = new AbortController();
    const lost = new LostShards();
    for (const { db } of this.#databases) lost.begin(db);
    this.#log.warn("a node of the cluster does not respond");
    this.#findLost(lost, outage.signal).catch(() => undefined); // statements are then cut off alone
    return outage;
  }

  async #findLost(lost: LostShards, signal: AbortSignal): Promise<void> {
    const client = await this.#connect();
    const { rows } = await client.query<Node>(NODES);
    await client.end();
    await Promise.all(rows.map((node) => this.#probe(node, lost, signal)));
  }

  async #probe({ groupid, nodename, nodeport }: Node, lost: LostShards, signal: AbortSignal): Promise<void> {
    const client = await this.#connect();
    const end = () => void client.end().catch(() => undefined);
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true });
    while (!signal.aborted) {
      const timer = setTimeout(() => lost.groups.add(groupid), NODE_RESPONSE_MS);
      const isUp = await ask(client, IS_NODE_UP, nodename, nodeport).finally(() => clearTimeout(timer));
      if (isUp) lost.groups.delete(groupid);
      else lost.groups.add(groupid);
      await wait(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #closeSilent(): void {
    const limit = performance.now() - RESPONSE_MS;
    for (const [client, since] of this.#busySince) {
      if (since > limit) continue;
      this.#busySince.delete(client);
      (client as pg.PoolClient & CorkableClient).socket.destroy(new Error("a node does not respond"));
    }
  }
}

async function ask(client: pg.Client, question: string, ...values: unknown[]): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean | null }>(question, values);
  return rows[0]!.yes ?? false;
}
