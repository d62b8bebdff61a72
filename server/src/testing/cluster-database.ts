import pg from "pg";
import { distributeTables, saveRoleSettings } from "../cli/cluster/cluster.sql.ts";
import { connect } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openLog } from "../platform/log.ts";

/** URLs of the coordinator and the workers (`npm run citus`); empty for a single database. */
export const CLUSTER = process.env["TEST_CLUSTER"]?.split(" ") ?? [];

/** Two URLs of a test's database beside its own: those of workers on a cluster. */
export function urlsOfNodes(databaseUrl: string): [string, string] {
  const { pathname } = new URL(databaseUrl);
  const [one, other] = CLUSTER.slice(1).map((worker) => new URL(pathname, worker).href);
  return [one ?? databaseUrl, other ?? databaseUrl];
}

/** Creates a migrated and distributed database on all nodes: a clone of a distributed database has no shards. */
export async function createClusterDatabase(name: string): Promise<string> {
  const urls = CLUSTER.map((url) => {
    const database = new URL(url);
    database.pathname = `/${name}`;
    return database.href;
  });
  for (const [i, url] of urls.entries()) {
    await runAlone(CLUSTER[i]!, `create database ${name}`);
    await runAlone(url, "create extension citus");
  }
  const [coordinator = "", ...workers] = urls;
  const addressOf = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await runAlone(coordinator, `select citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await runAlone(coordinator, `select citus_add_node(${addressOf(worker)})`);
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

async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
