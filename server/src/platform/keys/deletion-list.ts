import { randomUUID } from "node:crypto";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import type { FileStorage } from "../../integrations/file-storage/file-storage.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";

export interface Deletions {
  readonly keyIds: ReadonlySet<number>;
  readonly days: ReadonlyMap<number, string>;
  /** The start of each list, by id of the database. */
  readonly begun: ReadonlyMap<string, Date>;
}

/**
 * The list is outside of the database and its backups, so that a restore does not bring destroyed data back. A member's
 * key has their number.
 */
export interface DeletionList {
  readonly place: string;
  /** Safe to repeat. The lines are on disk when it returns. */
  add(keyIds: readonly number[], day: string): Promise<void>;
  /** Adds the title of a database once. Without it, a restore rejects the list. */
  begin(databaseId: string, now: Date): Promise<void>;
  read(): Promise<Deletions | null>;
}

const FILE = "deletions.txt";
const PREFIX = "deletions/";
const TITLE = /^# Deletions of database ([0-9a-f-]{36}) since (\S{24})\. A restore applies this list\.$/;
const LINE = /^(-?\d{1,16}) (\d{4}-\d\d-\d\d)$/;
const PAGE = 500;

export function openDeletionList({ s3, deletionsDir }: Config, fileStorage: FileStorage): DeletionList {
  return s3 ? inBucket(fileStorage) : inFolder(deletionsDir);
}

export async function readDeletions(path: string): Promise<Deletions | null> {
  const found = await stat(path).catch(() => null);
  if (!found) return null;
  const names = found.isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : [path];
  if (names.length === 0) return null;
  return parse(await Promise.all(names.map((name) => readFile(name, "utf8"))));
}

function inFolder(folder: string): DeletionList {
  const path = join(folder, FILE);
  const append = async (text: string) => {
    await createPrivateFolder(folder);
    const file = await open(path, "a", 0o600);
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  return {
    place: `DELETIONS_DIR ${folder}`,
    // A killed process may have left half a line: each line begins with a line break.
    add: (keyIds, day) => append(linesOf(keyIds, day)),
    async begin(databaseId, now) {
      const listed = await readDeletions(folder);
      if (!listed?.begun.has(databaseId)) await append(titleOf(databaseId, now));
    },
    read: () => readDeletions(folder),
  };
}

/** One object per deletion: objects cannot be appended to. */
function inBucket(storage: FileStorage): DeletionList {
  const put = (key: string, text: string) => storage.put(key, Buffer.from(text));
  return {
    place: "S3_BUCKET",
    add: (keyIds, day) => put(`${PREFIX}${day}-${randomUUID()}`, linesOf(keyIds, day)),
    async begin(databaseId, now) {
      const first = `${PREFIX}0-${databaseId}`;
      if (!(await storage.get(first))) await put(first, titleOf(databaseId, now));
    },
    async read() {
      const texts: string[] = [];
      for (let after: string | null = PREFIX; after !== null;) {
        const page: string[] = (await storage.list(after, PAGE)).map(({ key }) => key);
        const own = page.filter((key) => key.startsWith(PREFIX));
        texts.push(...(await Promise.all(own.map(async (key) => String(await storage.get(key))))));
        after = own.length === PAGE ? own.at(-1)! : null;
      }
      return texts.length > 0 ? parse(texts) : null;
    },
  };
}

function titleOf(databaseId: string, now: Date): string {
  return `\n# Deletions of database ${databaseId} since ${now.toISOString()}. A restore applies this list.\n`;
}

function linesOf(keyIds: readonly number[], day: string): string {
  return keyIds.map((id) => `\n${id} ${day}`).join("");
}

/** Skips incomplete lines: their job runs again. */
function parse(texts: readonly string[]): Deletions {
  const lines = texts.flatMap((text) => text.split("\n")).map((line) => line.trim());
  const begun = new Map<string, Date>();
  for (const line of lines) {
    const [, id, since] = TITLE.exec(line) ?? [];
    // Two servers that start at the same time may both add a title.
    if (id && since) begun.set(id, earliest(begun.get(id), new Date(since)));
  }
  const days = new Map<number, string>();
  for (const line of lines) {
    const [, id, day] = LINE.exec(line) ?? [];
    if (id && day) days.set(Number(id), day);
  }
  return { keyIds: new Set(days.keys()), days, begun };
}

function earliest(one: Date | undefined, other: Date): Date {
  return one && one < other ? one : other;
}
