import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { filesInUse } from "../../../media/index.ts";
import { takeBackupLock } from "../../../platform/db/backup-lock.ts";
import { connectAlone, type Db } from "../../../platform/db/database.ts";
import { type DataKeyRow, readKeysAfter } from "../../../platform/keys/data-keys.sql.ts";
import type { AppContext } from "../../../platform/context.ts";
import { BackupWriter, BackupReader, type Contents, withReadErrors } from "./backup-format.ts";
import {
  beginSnapshot,
  copiedTables,
  type CopiedTable,
  readMigrations,
  readRows,
  readSequences,
  setTextFormats,
} from "./backup-tables.sql.ts";
import { encodeKeys, readKeys } from "./backup-keys.ts";
import { OperatorError } from "../command-line.ts";

const CHUNK_BYTES = 4 * 1024 * 1024;
const PICTURES_PER_PAGE = 500;
const KEYS_PER_PAGE = 10_000;
const LINE_END = 0x0a;
const compress = promisify(gzip);

export interface CreatedBackup extends Contents {
  readonly path: string;
  readonly missing: number;
}

/**
 * Rows come first: pictures never change, are stored before their rows, and are not deleted while the backup lock is
 * held. So every picture of the snapshot still exists when it is copied.
 */
export async function createBackup(ctx: AppContext, databaseUrl: string, to: string): Promise<CreatedBackup> {
  return inSnapshot(databaseUrl, async (client, db) => {
    if (!(await takeBackupLock(client))) throw new OperatorError("Another backup is running.");
    await setTextFormats(client);
    await beginSnapshot(client);
    return withWriter(ctx, { to, kind: "data", at: ctx.clock.now() }, (draft) =>
      write(ctx, { client, db }, draft),
    );
  });
}

export async function createKeyBackup(
  ctx: AppContext,
  databaseUrl: string,
  to: string,
): Promise<Contents & { path: string }> {
  return inSnapshot(databaseUrl, async (client, db) => {
    // Before the snapshot: the keys must be at least as new as the time of their backup.
    const at = ctx.clock.now();
    await beginSnapshot(client);
    return withWriter(ctx, { to, kind: "keys", at }, async (draft) => {
      await draft.addHead(ctx, { kind: "keys", migrations: [], tables: [] });
      const contents = { rows: { data_keys: await writeKeys(db, draft) }, sequences: {}, pictures: 0 };
      await draft.finish(ctx, contents);
      return contents;
    });
  });
}

async function inSnapshot<T>(
  databaseUrl: string,
  run: (client: pg.Client, db: Db) => Promise<T>,
): Promise<T> {
  const { client, db, close } = await connectAlone(databaseUrl);
  try {
    return await run(client, db);
  } finally {
    await close();
  }
}

async function withWriter<T>(
  ctx: AppContext,
  { to, kind, at }: { to: string; kind: "data" | "keys"; at: Date },
  run: (draft: BackupWriter) => Promise<T>,
): Promise<T & { path: string }> {
  const draft = await BackupWriter.open(to, kind, at);
  try {
    const written = await run(draft);
    await checkBackup(ctx, draft.draftPath);
    await draft.publish();
    return { ...written, path: draft.path };
  } finally {
    await draft.discard();
  }
}

async function write(ctx: AppContext, { client, db }: { client: pg.Client; db: Db }, draft: BackupWriter) {
  const tables = await copiedTables(client);
  await draft.addHead(ctx, { kind: "data", migrations: await readMigrations(client), tables });
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await writeTable(client, draft, table);
  const { pictures, missing } = await writePictures(ctx, db, draft);
  const contents = { rows, sequences: await readSequences(client), pictures };
  await draft.finish(ctx, contents);
  return { ...contents, missing };
}

async function writeTable(client: pg.Client, draft: BackupWriter, table: CopiedTable): Promise<number> {
  let lines = 0;
  let index = 0;
  let chunks: Buffer[] = [];
  let length = 0;
  const flush = async () => {
    const name = `tables/${table.name}/${String(index++).padStart(6, "0")}.copy.gz`;
    await draft.add({ name, bytes: await compress(Buffer.concat(chunks), { level: 1 }) });
    [chunks, length] = [[], 0];
  };
  for await (const chunk of readRows(client, table)) {
    chunks.push(chunk);
    length += chunk.length;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines++;
    if (length >= CHUNK_BYTES) await flush();
  }
  if (length > 0) await flush();
  return lines;
}

async function writePictures(ctx: AppContext, db: Db, draft: BackupWriter) {
  const count = { pictures: 0, missing: 0 };
  let after: string | null = null;
  for (;;) {
    const page: { mediaId: string; key: string }[] = await filesInUse(db, after, PICTURES_PER_PAGE);
    for (const { key } of page) {
      const bytes = await ctx.fileStorage.get(key);
      if (bytes) await draft.add({ name: `media/${key}`, bytes });
      count[bytes ? "pictures" : "missing"]++;
    }
    if (page.length < PICTURES_PER_PAGE) return count;
    after = page.at(-1)!.mediaId;
  }
}

async function writeKeys(db: Db, draft: BackupWriter): Promise<number> {
  let count = 0;
  for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null;) {
    const page: DataKeyRow[] = await readKeysAfter(db, after, KEYS_PER_PAGE);
    if (page.length > 0) await draft.add(encodeKeys(page, count));
    count += page.length;
    after = page.length === KEYS_PER_PAGE ? page.at(-1)!.key_id : null;
  }
  return count;
}

/** @throws OperatorError unless the backup is complete and unchanged, and its keys can be used */
export async function checkBackup(
  ctx: AppContext,
  path: string,
): Promise<{ createdAt: string; contents: Contents }> {
  return withReadErrors(path, async () => {
    const reader = await BackupReader.open(ctx, path);
    for await (const _ of reader.entries("tables/"));
    for await (const _ of readKeys(ctx, reader));
    for await (const _ of reader.entries("media/"));
    return { createdAt: reader.head.created_at, contents: await reader.end() };
  });
}
