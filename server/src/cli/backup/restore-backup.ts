import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type pg from "pg";
import { connectAlone, type Db, type Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { isWorkerAlive } from "../../platform/jobs/worker-heartbeat.ts";
import { recordRestoration } from "../../platform/db/restorations.sql.ts";
import { ArchiveBroken } from "./tar.ts";
import { BackupReader, type Contents, type Head, told } from "./backup-format.ts";
import {
  type Copied,
  copiedTables,
  findFilledTable,
  migrationsOf,
  setSequences,
  speakPlainly,
  writeRows,
} from "./backup-tables.sql.ts";
import { OperatorProblem } from "../command-line.ts";

const unpress = promisify(gunzip);
const MEDIA = "media/";

export interface Restored extends Contents {
  readonly createdAt: string;
}

/**
 * Fills an empty database and the store of pictures from a backup: all of it, or nothing.
 *
 * Tables go in one transaction. Pictures are stored before it commits, since a picture without a row harms nobody and is
 * removed again: by us when the restoration fails, and by the walk over the store should we die.
 */
export async function restoreFrom(ctx: AppContext, databaseUrl: string, path: string): Promise<Restored> {
  const { client, db, close } = await connectAlone(databaseUrl);
  const stored: string[] = [];
  try {
    return await told(path, async () => {
      const reader = await BackupReader.open(ctx, path);
      await refuseUnfit(client, db, reader.head);
      const contents = await db.transaction().execute((tx) => fill(ctx, client, tx, { reader, stored }));
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

async function refuseUnfit(client: pg.Client, db: Db, head: Head): Promise<void> {
  if (await isWorkerAlive(db))
    throw new OperatorProblem("A server is running on this database: stop it first.");

  const own = await migrationsOf(client);
  const lacking = head.migrations.filter((name) => !own.includes(name));
  const ahead = own.filter((name) => !head.migrations.includes(name));
  if (lacking.length + ahead.length > 0) {
    const than = lacking.length > 0 ? "a newer version" : "an older version";
    throw new OperatorProblem(
      `The backup was made by ${than} (${[...lacking, ...ahead].join(", ")}): restore it with that one into an empty database, then start this one on it.`,
    );
  }
  const filled = await findFilledTable(client);
  if (filled) throw new OperatorProblem(`The database is not empty (${filled}): restore into one that is.`);
}

interface Filling {
  readonly reader: BackupReader;
  /** Pictures that were not in the store before. */
  readonly stored: string[];
}

async function fill(
  ctx: AppContext,
  client: pg.Client,
  tx: Tx,
  { reader, stored }: Filling,
): Promise<Contents> {
  await speakPlainly(client);
  const rows: Record<string, number> = {};
  for (const table of await tablesOf(client, reader.head)) {
    rows[table.name] = await writeRows(client, table, linesOf(reader, table.name));
  }
  let pictures = 0;
  for await (const { name, bytes } of reader.pieces(MEDIA)) {
    const key = name.slice(MEDIA.length);
    if (!(await ctx.fileStorage.get(key))) stored.push(key);
    await ctx.fileStorage.put(key, bytes);
    pictures++;
  }
  const contents = await reader.end();
  const isAllThere =
    pictures === contents.pictures &&
    Object.keys(contents.rows).length === Object.keys(rows).length &&
    Object.entries(contents.rows).every(([name, count]) => rows[name] === count);
  if (!isAllThere) throw new ArchiveBroken("something is missing in it");

  await setSequences(client, contents.sequences);
  await ctx.domainEvents.emit(tx, "database_restored", {});
  await recordRestoration(tx, new Date(reader.head.created_at), ctx.clock.now());
  return contents;
}

/** The tables of a backup, each of which has to be one of ours. */
async function tablesOf(client: pg.Client, head: Head): Promise<Copied[]> {
  const own = await copiedTables(client);
  const names = new Set(head.tables.map(({ name }) => name));
  const isSame = names.size === own.length && own.every(({ name }) => names.has(name));
  if (!isSame) throw new ArchiveBroken("it holds other tables than this version has");
  return head.tables;
}

async function* linesOf(reader: BackupReader, table: string): AsyncGenerator<Buffer> {
  for await (const { bytes } of reader.pieces(`tables/${table}/`)) yield await unpress(bytes);
}
