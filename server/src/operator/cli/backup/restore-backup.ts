import { basename } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type pg from "pg";
import { listDestroyedKeys } from "../../../accounts/index.ts";
import { countMembers } from "../../../members/members.sql.ts";
import { connectAlone, type Db, type Tx } from "../../../platform/db/database.ts";
import type { AppContext } from "../../../platform/context.ts";
import { isWorkerAlive } from "../../../platform/jobs/worker-heartbeat.ts";
import {
  deleteDatabaseId,
  readDatabaseId,
  recordRestoration,
} from "../../../platform/db/restorations.sql.ts";
import { isDailyKey } from "../../../platform/keys/data-keys.ts";
import { insertRestoredKeys } from "../../../platform/keys/data-keys.sql.ts";
import { type Deletions, readDeletions } from "../../../platform/keys/deletion-list.ts";
import { shareActive, takeRotationLock } from "../../../platform/keys/master-keys.sql.ts";
import { keyIdOf } from "../../../platform/keys/encryption.ts";
import { readKeys } from "./backup-keys.ts";
import { ArchiveError } from "./tar.ts";
import { BackupReader, type Contents, type Head, withReadErrors } from "./backup-format.ts";
import {
  type CopiedTable,
  copiedTables,
  findFilledTable,
  isDistributed,
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
  readonly members: number;
}

export interface RestoreFrom {
  readonly from: string;
  /** A backup of the keys, not older than the data. */
  readonly keys: string;
  /** A copy of the list of deletions; null for the list of this server. */
  readonly deletions: string | null;
}

/**
 * Restores completely or not at all. Leaves out data deleted after the backup: its key is missing, or the list of
 * deletions names it.
 *
 * All tables are one transaction. Pictures are stored before its commit: orphaned pictures are removed after an error,
 * or by the orphan sweep after a crash.
 */
export async function restoreFrom(
  ctx: AppContext,
  databaseUrl: string,
  { from, keys, deletions }: RestoreFrom,
): Promise<Restored> {
  const { client, db, close } = await connectAlone(databaseUrl);
  const stored: string[] = [];
  try {
    // A rotation does not see keys before the commit, and would drop their master key.
    if (!(await takeRotationLock(client)))
      throw new OperatorError("A rotation or another restore is running.");
    await ctx.masterKeys.refresh();
    const masterKey = ctx.masterKeys.active.id;
    const listed = await requireDeletions(ctx, deletions);
    const keyReader = await withReadErrors(keys, () => openKind(ctx, keys, "keys"));
    return await withReadErrors(from, async () => {
      const reader = await openKind(ctx, from, "data");
      requireNewerKeys(reader.head, keyReader.head);
      await requireRestorable(client, db, reader.head);
      const { contents, members } = await db.transaction().execute(async (tx) => {
        await deleteDatabaseId(tx);
        const tables = await restoreTables(client, reader);
        requireOwnList(listed, await readDatabaseId(tx), reader.head);
        const { kept, highest } = await withReadErrors(keys, () =>
          restoreKeys(ctx, tx, keyReader, listed.keyIds),
        );
        // A later deletion of a restored member keeps its day.
        await listDestroyedKeys(tx, ctx, listed.days);
        const restored = await restoreRest(ctx, client, tx, { reader, stored, rows: tables, kept, highest });
        await requireActive(tx, masterKey);
        return restored;
      });
      await client.query("analyze");
      return { ...contents, members, createdAt: reader.head.created_at };
    });
  } catch (error) {
    for (const key of stored) await ctx.fileStorage.remove(key);
    throw error;
  } finally {
    await close();
  }
}

/** The share lock delays a change of the active key until the end of the transaction. */
async function requireActive(tx: Tx, masterKey: string): Promise<void> {
  if (await shareActive(tx, masterKey)) return;
  throw new OperatorError("The master key was replaced: run the restore again.");
}

async function openKind(ctx: AppContext, path: string, kind: "data" | "keys"): Promise<BackupReader> {
  const reader = await BackupReader.open(ctx, path);
  if (reader.head.kind === kind) return reader;
  throw new OperatorError(
    `${path} is a backup of ${reader.head.kind}: restore takes --from DATA --keys KEYS.`,
  );
}

async function requireDeletions(ctx: AppContext, path: string | null): Promise<Deletions> {
  const deleted = path === null ? await ctx.deletionList.read() : await readDeletions(path);
  if (deleted) return deleted;
  const place = path ?? ctx.deletionList.place;
  throw new OperatorError(
    `${place} has no list of deletions: give its newest copy with --deletions. Without it, deleted members could come back.`,
  );
}

/** Another list may lack deletions since the backup. */
function requireOwnList({ begun }: Deletions, databaseId: string, { created_at }: Head): void {
  const since = begun.get(databaseId);
  if (!since)
    throw new OperatorError("The list of deletions has no title of the backup's database: use its own list.");
  if (since <= new Date(created_at)) return;
  throw new OperatorError(
    `The list of deletions was begun (${since.toISOString()}) after the backup (${created_at}): use a copy of the older list.`,
  );
}

/** With older keys, members who joined in between would be lost. */
function requireNewerKeys(data: Head, keys: Head): void {
  if (keys.created_at >= data.created_at) return;
  throw new OperatorError(
    `The backup of the keys (${keys.created_at}) is older than that of the data (${data.created_at}): use a newer one.`,
  );
}

async function requireRestorable(client: pg.Client, db: Db, head: Head): Promise<void> {
  if (await isWorkerAlive(db))
    throw new OperatorError("A server is running on this database: stop it first.");

  const own = await readMigrations(client);
  const missing = head.migrations.filter((name) => !own.includes(name));
  const ahead = own.filter((name) => !head.migrations.includes(name));
  if (missing.length + ahead.length > 0) {
    const isMixed = missing.length > 0 && ahead.length > 0;
    const than = isMixed ? "another version" : missing.length > 0 ? "a newer version" : "an older version";
    throw new OperatorError(
      `The backup was made by ${than} (${[...missing, ...ahead].join(", ")}): restore it with that version, then start this one on the database.`,
    );
  }
  // Deletions without a key join tables of several groups.
  if (await isDistributed(client))
    throw new OperatorError(
      "The tables are distributed: restore into a new database on the coordinator, and run `cluster distribute` afterwards.",
    );
  const filled = await findFilledTable(client);
  if (filled) throw new OperatorError(`The database is not empty (table ${filled}).`);
}

async function restoreTables(client: pg.Client, reader: BackupReader): Promise<Record<string, number>> {
  await setTextFormats(client);
  const rows: Record<string, number> = {};
  for (const table of await matchTables(client, reader.head)) {
    rows[table.name] = await writeRows(client, table, readTable(reader, table.name));
  }
  return rows;
}

async function restoreKeys(
  ctx: AppContext,
  tx: Tx,
  reader: BackupReader,
  deleted: ReadonlySet<number>,
): Promise<{ kept: ReadonlySet<number>; highest: number }> {
  const kept = new Set<number>();
  let highest = 0;
  for (const id of deleted) highest = Math.max(highest, id);
  for await (const page of readKeys(ctx, reader)) {
    for (const { key_id } of page) highest = Math.max(highest, key_id);
    // Daily keys are for emails and events, which are not restored. Deletions below create one on another connection.
    const rows = page.filter(({ key_id }) => !deleted.has(key_id) && !isDailyKey(key_id));
    if (rows.length > 0) await insertRestoredKeys(tx, rows);
    for (const { key_id } of rows) kept.add(key_id);
  }
  await reader.end();
  return { kept, highest };
}

interface RestoreSource {
  readonly reader: BackupReader;
  readonly rows: Readonly<Record<string, number>>;
  readonly kept: ReadonlySet<number>;
  /** Includes members who joined after the backup, so that their numbers are not reused. */
  readonly highest: number;
  readonly stored: string[];
}

async function restoreRest(
  ctx: AppContext,
  client: pg.Client,
  tx: Tx,
  { reader, rows, kept, highest, stored }: RestoreSource,
): Promise<{ contents: Contents; members: number }> {
  const mediaIds: string[] = [];
  let pictures = 0;
  for await (const { name, bytes } of reader.entries(MEDIA)) {
    const key = name.slice(MEDIA.length);
    pictures++;
    if (!kept.has(keyIdOf(bytes))) {
      mediaIds.push(basename(key));
      continue;
    }
    if (!(await ctx.fileStorage.get(key))) stored.push(key);
    await ctx.fileStorage.put(key, bytes);
  }
  const contents = await reader.end();
  const isComplete =
    pictures === contents.pictures &&
    Object.keys(contents.rows).length === Object.keys(rows).length &&
    Object.entries(contents.rows).every(([name, count]) => rows[name] === count);
  if (!isComplete) throw new ArchiveError("it is incomplete");

  await setSequences(client, contents.sequences, highest);
  await ctx.domainEvents.emit(tx, "database_restored", { mediaIds });
  await recordRestoration(tx, new Date(reader.head.created_at), ctx.clock.now());
  return { contents: { ...contents, pictures: pictures - mediaIds.length }, members: await countMembers(tx) };
}

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
