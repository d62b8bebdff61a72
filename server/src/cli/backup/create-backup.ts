import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { filesInUse } from "../../media/index.ts";
import { takeBackupLock } from "../../platform/db/backup-lock.ts";
import { connectAlone, type Db } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { BackupDraft, BackupReader, type Contents, told } from "./backup-format.ts";
import {
  beginSnapshot,
  copiedTables,
  type Copied,
  migrationsOf,
  readRows,
  readSequences,
  speakPlainly,
} from "./backup-tables.sql.ts";
import { OperatorProblem } from "../command-line.ts";

const PIECE_BYTES = 4 * 1024 * 1024;
const PICTURES_AT_ONCE = 500;
const LINE_END = 0x0a;
const press = promisify(gzip);

export interface Made extends Contents {
  readonly path: string;
  /** Pictures that rows name and the store has not: they were lost before. */
  readonly missing: number;
}

/**
 * Writes all tables as they stand at one moment, and the pictures that they name, while the server goes on.
 *
 * Rows come first: a picture is written once, before any row names it, and none is removed while the turn is held. So
 * every picture of that moment is still there when it is copied.
 */
export async function backUp(ctx: AppContext, databaseUrl: string, to: string): Promise<Made> {
  const { client, db, close } = await connectAlone(databaseUrl);
  try {
    if (!(await takeBackupLock(client))) throw new OperatorProblem("Another backup is being made now.");
    await speakPlainly(client);
    await beginSnapshot(client);
    const draft = await BackupDraft.open(to, ctx.clock.now());
    try {
      const written = await write(ctx, { client, db }, draft);
      await check(ctx, draft.path);
      return { ...written, path: draft.path };
    } finally {
      await draft.giveUp();
    }
  } finally {
    await close();
  }
}

async function write(ctx: AppContext, { client, db }: { client: pg.Client; db: Db }, draft: BackupDraft) {
  const tables = await copiedTables(client);
  await draft.addHead(ctx, { migrations: await migrationsOf(client), tables });
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await writeTable(client, draft, table);
  const { pictures, missing } = await writePictures(ctx, db, draft);
  const contents = { rows, sequences: await readSequences(client), pictures };
  await draft.finish(ctx, contents);
  return { ...contents, missing };
}

/** Answers how many rows there were: each is a line. */
async function writeTable(client: pg.Client, draft: BackupDraft, table: Copied): Promise<number> {
  let lines = 0;
  let piece = 0;
  let held: Buffer[] = [];
  let length = 0;
  const flush = async () => {
    const name = `tables/${table.name}/${String(piece++).padStart(6, "0")}.copy.gz`;
    await draft.add({ name, bytes: await press(Buffer.concat(held), { level: 1 }) });
    [held, length] = [[], 0];
  };
  for await (const chunk of readRows(client, table)) {
    held.push(chunk);
    length += chunk.length;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines++;
    if (length >= PIECE_BYTES) await flush();
  }
  if (length > 0) await flush();
  return lines;
}

async function writePictures(ctx: AppContext, db: Db, draft: BackupDraft) {
  const count = { pictures: 0, missing: 0 };
  let after: string | null = null;
  for (;;) {
    const page: { mediaId: string; key: string }[] = await filesInUse(db, after, PICTURES_AT_ONCE);
    for (const { key } of page) {
      const bytes = await ctx.fileStorage.get(key);
      if (bytes) await draft.add({ name: `media/${key}`, bytes });
      count[bytes ? "pictures" : "missing"]++;
    }
    if (page.length < PICTURES_AT_ONCE) return count;
    after = page.at(-1)!.mediaId;
  }
}

/** Reads a backup from its beginning to its end; throws an `OperatorProblem` unless it is whole. */
export async function check(
  ctx: AppContext,
  path: string,
): Promise<{ createdAt: string; contents: Contents }> {
  return told(path, async () => {
    const reader = await BackupReader.open(ctx, path);
    for await (const _ of reader.pieces("tables/"));
    for await (const _ of reader.pieces("media/"));
    return { createdAt: reader.head.created_at, contents: await reader.end() };
  });
}
