import pg from "pg";
import { CLUSTER, superuserUrl } from "./cluster-database.ts";
import { databaseUrl } from "./template.ts";

/** The database accepts no connections meanwhile, and its connections are ended. */
export async function withoutDatabase<T>(url: string, task: () => Promise<T>): Promise<T> {
  const name = new URL(url).pathname.slice(1);
  const [coordinator] = CLUSTER;
  const client = new pg.Client({
    connectionString: coordinator ? superuserUrl(coordinator, "postgres") : databaseUrl(url, "postgres"),
  });
  await client.connect();
  await client.query(`alter database ${name} allow_connections false`);
  try {
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    return await task();
  } finally {
    await client.query(`alter database ${name} allow_connections true`);
    await client.end();
  }
}
