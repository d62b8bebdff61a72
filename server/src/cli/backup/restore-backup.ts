import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type pg from "pg";
import { connectAlone, type Db, type Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { isWorkerAlive } from "../../platform/jobs/worker-heartbeat.ts";
import { recordRestoration } from "../../platform/db/restorations.sql.ts";
import { ArchiveError } from "./tar.ts";
import { BackupReader, type Contents, type Head, withReadErrors } from "./backup-format.ts";
import {
  type CopiedTable,
  copiedTables,
  findFilledTable,
  readMigrations,
  setSequences,
  setTextFormats,
  writeRows,
} from "./backup-tables.sql.ts";
import { OperatorError } from "../command-line.ts";

const decompress = promisify(gunzip);
const MEDIA = "media/";

export interface Restored extends Contents {
  readonly createdAt: string;
}

/**
 * Restores a backup into an empty database and the media store, completely or not at all.
 *
 * All tables are one transaction. Pictures are stored before its commit: orphaned pictures are removed after an error, or
 * by the orphan sweep after a crash.
 */
export async function restoreFrom(ctx: AppContext, databaseUrl: string, path: string): Promise<Restored> {
  const { client, db, close } = await connectAlone(databaseUrl);
  const stored: string[] = [];
  try {
    return await withReadErrors(path, async () => {
      const reader = await BackupReader.open(ctx, path);
      await requireRestorable(client, db, reader.head);
      const contents = await db
        .transaction()
        .execute((tx) => restoreContents(ctx, client, tx, { reader, stored }));
      await client.query("analyze");
      return { ...contents, createdAt: reader.head.created_at };
    });
  } catch (error) {
    for (const key of stored) await ctx.fileStorage.remove(key);
    throw error;
  } finally {
    await close();
  }
}

async function requireRestorable(client: pg.Client, db: Db, head: Head): Promise<void> {
  if (await isWorkerAlive(db))
    throw new OperatorError("A server is running on this database: stop it first.");

  const own = await readMigrations(client);
  const missing = head.migrations.filter((name) => !own.includes(name));
  const ahead = own.filter((name) => !head.migrations.includes(name));
  if (missing.length + ahead.length > 0) {
    const than = missing.length > 0 ? "a newer version" : "an older version";
    throw new OperatorError(
      `The backup was made by ${than} (${[...missing, ...ahead].join(", ")}): restore it with that version, then start this one on the database.`,
    );
  }
  const filled = await findFilledTable(client);
  if (filled) throw new OperatorError(`The database is not empty (table ${filled}).`);
}

interface RestoreSource {
  readonly reader: BackupReader;
  /** Collects the keys of new pictures. */
  readonly stored: string[];
}

async function restoreContents(
  ctx: AppContext,
  client: pg.Client,
  tx: Tx,
  { reader, stored }: RestoreSource,
): Promise<Contents> {
  await setTextFormats(client);
  const rows: Record<string, number> = {};
  for (const table of await matchTables(client, reader.head)) {
    rows[table.name] = await writeRows(client, table, readTable(reader, table.name));
  }
  let pictures = 0;
  for await (const { name, bytes } of reader.entries(MEDIA)) {
    const key = name.slice(MEDIA.length);
    if (!(await ctx.fileStorage.get(key))) stored.push(key);
    await ctx.fileStorage.put(key, bytes);
    pictures++;
  }
  const contents = await reader.end();
  const isComplete =
    pictures === contents.pictures &&
    Object.keys(contents.rows).length === Object.keys(rows).length &&
    Object.entries(contents.rows).every(([name, count]) => rows[name] === count);
  if (!isComplete) throw new ArchiveError("it is incomplete");

  await setSequences(client, contents.sequences);
  await ctx.domainEvents.emit(tx, "database_restored", {});
  await recordRestoration(tx, new Date(reader.head.created_at), ctx.clock.now());
  return contents;
}

/** Throws unless the backup has exactly our tables. */
async function matchTables(client: pg.Client, head: Head): Promise<CopiedTable[]> {
  const own = await copiedTables(client);
  const names = new Set(head.tables.map(({ name }) => name));
  const isSame = names.size === own.length && own.every(({ name }) => names.has(name));
  if (!isSame) throw new ArchiveError("its tables differ from those of this version");
  return head.tables;
}

async function* readTable(reader: BackupReader, table: string): AsyncGenerator<Buffer> {
  for await (const { bytes } of reader.entries(`tables/${table}/`)) yield await decompress(bytes);
}
