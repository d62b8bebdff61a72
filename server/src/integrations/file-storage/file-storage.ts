import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrivateFolder } from "../../platform/lib/private-folder.ts";

/** Stores encrypted media. We create the keys (`ab/abcd…`), never a member. */
export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  /** Returns files by rising key. Fewer than `limit` files are the last ones. */
  list(after: string | null, limit: number): Promise<StoredFile[]>;
  close(): void;
}

export interface StoredFile {
  readonly key: string;
  readonly writtenAt: Date;
}

const DRAFT = ".draft";

/** A file appears complete or not at all. A crash may leave a draft, which its key removes. */
export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(folder, key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await createPrivateFolder(dirname(path));
      await writeFile(draftOf(path), bytes, { mode: 0o600, flush: true });
      await rename(draftOf(path), path);
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await rm(draftOf(path), { force: true });
    },
    async list(after, limit) {
      const found: StoredFile[] = [];
      const [afterFolder = ""] = (after ?? "").split("/");
      for (const name of await namesIn(folder)) {
        if (name < afterFolder) continue;
        for (const key of await keysIn(folder, name)) {
          if (after !== null && key <= after) continue;
          if (found.length === limit) return found;
          const writtenAt = await timeOf(join(folder, key));
          if (writtenAt) found.push({ key, writtenAt });
        }
      }
      return found;
    },
    close: () => undefined,
  };
}

export function watchHealth(storage: FileStorage, recordHealth: (isUp: boolean) => void): FileStorage {
  const watch = async <T>(request: Promise<T>): Promise<T> => {
    try {
      const result = await request;
      recordHealth(true);
      return result;
    } catch (error) {
      recordHealth(false);
      throw error;
    }
  };
  return {
    put: (key, bytes) => watch(storage.put(key, bytes)),
    get: (key) => watch(storage.get(key)),
    remove: (key) => watch(storage.remove(key)),
    list: (after, limit) => watch(storage.list(after, limit)),
    close: () => storage.close(),
  };
}

export function assertKey(key: string): void {
  if (!/^[a-z0-9]+(\/[a-z0-9-]+)*$/.test(key)) throw new Error("invalid media key");
}

function draftOf(path: string): string {
  return `${path}${DRAFT}`;
}

async function keysIn(folder: string, name: string): Promise<string[]> {
  const files = (await namesIn(join(folder, name))).map((file) => file.replace(DRAFT, ""));
  return [...new Set(files)].toSorted().map((file) => `${name}/${file}`);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "ENOTDIR") return [];
    throw error;
  }
}

async function timeOf(path: string): Promise<Date | null> {
  for (const each of [path, draftOf(path)]) {
    try {
      return (await stat(each)).mtime;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
