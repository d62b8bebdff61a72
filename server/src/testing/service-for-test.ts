import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { onTestFinished } from "vitest";
import { clearCellCounts } from "../discovery/search/cell-counts.ts";
import { outboxFolder } from "../integrations/email/outbox.ts";
import { isDailyKey } from "../platform/keys/data-keys.ts";
import { closeOthers, closeSockets, eventually, testService, type TestService } from "./test-service.ts";

type Options = NonNullable<Parameters<typeof testService>[0]>;

/** Each holds about ten connections. */
const UNUSED_MAX = 3;
/** Rows of the deployment and of the running server. */
const LASTING = [
  "database_ids",
  "data_keys",
  "kysely_migration",
  "kysely_migration_lock",
  "master_keys",
  "server_processes",
];
const LISTED = 1_000;

/** Running services without members that no test uses, of this file. */
let unused: { options: Options; service: TestService }[] = [];

export function forgetUnusedServices(): void {
  unused = [];
}

/**
 * A service without members, at the current time. Tests of a file take turns with a service of the same options, because
 * emptying one takes a sixth of the time of a start. Services with rate limits, which are in memory, and second
 * processes are not shared. A test that changes the service itself, such as its schema or handlers, has `ownService()`.
 */
export async function serviceForTest(options: Options = {}): Promise<TestService> {
  if (options.beside || options.databaseUrl || options.config?.hasRateLimits) return ownService(options);
  const found = unused.find((each) => isDeepStrictEqual(each.options, options));
  unused = unused.filter((each) => each !== found);
  const service = found?.service ?? (await testService(options));
  onTestFinished(async () => {
    await closeOthers(service);
    if (!service.ctx.jobs.isRunning) return service.close();
    await empty(service);
    unused.push({ options, service });
    if (unused.length > UNUSED_MAX) await unused.shift()!.service.close();
  });
  return service;
}

/** The service closes when its test ends, so that connections remain for the file's other tests. */
export async function ownService(options?: Options): Promise<TestService> {
  const service = await testService(options);
  onTestFinished(service.close);
  return service;
}

async function empty(service: TestService): Promise<void> {
  const { ctx, db, clock, url } = service;
  closeSockets(url);
  await ctx.runningTasks.end();
  await eventually(async () => {
    const { rows } = await sql<{ locked: boolean }>`
      select locked_at is not null as locked from graphile_worker.jobs`.execute(db);
    if (rows.some(({ locked }) => !locked)) {
      await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`.execute(db);
    }
    if (rows.length > 0) throw new Error("jobs are running");
  });
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${LASTING})`.execute(db);
  await sql.raw(tables.map(({ name }) => `delete from ${name}`).join("; ")).execute(db);
  const keys = await db.selectFrom("data_keys").select("key_id").execute();
  const ofMembers = keys.map(({ key_id }) => key_id).filter((id) => !isDailyKey(id));
  if (ofMembers.length > 0) await db.deleteFrom("data_keys").where("key_id", "in", ofMembers).execute();
  for (const { key } of await ctx.fileStorage.list(null, LISTED)) await ctx.fileStorage.remove(key);
  const outbox = outboxFolder(ctx.config);
  for (const name of await readdir(outbox).catch(() => [])) await rm(join(outbox, name));
  clearCellCounts(ctx);
  clock.set(new Date());
}
