import { connect } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openLog } from "../platform/log.ts";

/** Creates a migrated database, which tests clone. */
export async function createTemplate(serverUrl: string, name: string): Promise<void> {
  const log = openLog("silent");
  const root = connect(serverUrl, log, { size: 1 });
  await root.pool.query(`drop database if exists ${name}`);
  await root.pool.query(`create database ${name}`);
  await root.close();
  const template = connect(databaseUrl(serverUrl, name), log, { size: 2 });
  await migrate(template, log);
  await template.close();
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
