import { randomUUID } from "node:crypto";
import pg from "pg";
import { saveRoleSettings } from "../operator/cli/cluster/cluster.sql.ts";
import { distributeTables } from "../operator/cli/cluster/distribute.ts";
import { connect } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openLog } from "../platform/log.ts";

/** URLs of the coordinator and the workers (`npm run citus`); empty for a single database. */
export const CLUSTER = process.env["TEST_CLUSTER"]?.split(" ") ?? [];

function databaseOf(node: string, name: string, role: string): string {
  const url = new URL(`/${name}`, node);
  url.username = role;
  return url.href;
}

/** Creates a new database on all nodes: a clone of a distributed database has no shards. */
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

export async function createEmptyCluster(name = `t_${randomUUID().replaceAll("-", "")}`): Promise<string> {
  const [coordinator = ""] = await Promise.all(CLUSTER.map((node) => createNodeDatabase(node, name)));
  const [host = "", ...workers] = CLUSTER;
  await runAsSuperuser(host, name, `select citus_set_coordinator_host(${addressOf(host)})`);
  for (const worker of workers)
    await runAsSuperuser(host, name, `select citus_add_node(${addressOf(worker)})`);
  return coordinator;
}

/** The database's role is no superuser. */
async function createNodeDatabase(node: string, name: string): Promise<string> {
  await runAlone(node, `create role ${name} login`);
  await runAlone(node, `create database ${name} owner ${name}`);
  await runAsSuperuser(node, name, "create extension citus");
  return databaseOf(node, name, name);
}

const addressOf = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;

/** Also ends the process that Citus runs for each database: a node has a limited number. */
export async function dropClusterDatabase(name: string): Promise<void> {
  await Promise.all(
    CLUSTER.map(async (node) => {
      await runAlone(node, `drop database if exists ${name} with (force)`);
      await runAlone(node, `drop role if exists ${name}`);
    }),
  );
}

export const superuserUrl = (node: string, database: string): string =>
  databaseOf(node, database, new URL(node).username);

export const runAsSuperuser = (node: string, database: string, statement: string): Promise<void> =>
  runAlone(superuserUrl(node, database), statement);

async function runAlone(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
