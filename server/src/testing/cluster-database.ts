import { randomUUID } from "node:crypto";
import pg from "pg";
import { saveRoleSettings } from "../cli/cluster/cluster.sql.ts";
import { distributeTables } from "../cli/cluster/distribute.ts";
import { connect } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openLog } from "../platform/log.ts";

/** URLs of the coordinator and the workers (`npm run citus`); empty for a single database. */
export const CLUSTER = process.env["TEST_CLUSTER"]?.split(" ") ?? [];
/** A running node that belongs to no cluster yet. */
export const SPARE_NODE = process.env["TEST_SPARE_NODE"] ?? "";

/** Two URLs of a test's database beside its own: those of workers on a cluster. */
export function urlsOfNodes(databaseUrl: string): [string, string] {
  const { pathname } = new URL(databaseUrl);
  const [one, other] = CLUSTER.slice(1).map((worker) => new URL(pathname, worker).href);
  return [one ?? databaseUrl, other ?? databaseUrl];
}

/** Creates a migrated and distributed database on all nodes: a clone of a distributed database has no shards. */
export async function createClusterDatabase(name: string): Promise<string> {
  const coordinator = await createEmptyCluster(name);
  const log = openLog("silent");
  const first = connect(coordinator, log, { size: 2 });
  await migrate(first, log);
  await saveRoleSettings(first.db);
  await first.close();
  const second = connect(coordinator, log, { size: 1 });
  await distributeTables(second.db);
  await second.close();
  return coordinator;
}

/** Creates a database with the extension on all nodes, without tables. Returns its URL on the coordinator. */
export async function createEmptyCluster(name = `t_${randomUUID().replaceAll("-", "")}`): Promise<string> {
  const [coordinator = "", ...workers] = await Promise.all(
    CLUSTER.map((url) => createNodeDatabase(url, name)),
  );
  await runAlone(coordinator, `select citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await runAlone(coordinator, `select citus_add_node(${addressOf(worker)})`);
  return coordinator;
}

/** Creates a database with the extension on one node. */
export async function createNodeDatabase(node: string, name: string): Promise<string> {
  const url = new URL(`/${name}`, node).href;
  await runAlone(node, `create database ${name}`);
  await runAlone(url, "create extension citus");
  return url;
}

const addressOf = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;

async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
