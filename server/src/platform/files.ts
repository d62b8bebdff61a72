import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where sealed media lie. Keys are made by us (`ab/abcd…`), never by a member. */
export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** null when there is none. */
  get(key: string): Promise<Buffer | null>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
}

/** Keeps media in a folder; a file appears whole or not at all. What a crash left half written goes with its key. */
export function folderStore(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!/^[a-z0-9]+(\/[a-z0-9-]+)*$/.test(key)) throw new Error("not a key of the media store");
    return join(folder, key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(draftOf(path), bytes, { mode: 0o600, flush: true });
      await rename(draftOf(path), path);
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await rm(draftOf(path), { force: true });
    },
  };
}

/** No key has a point in it, and each is written once. */
function draftOf(path: string): string {
  return `${path}.draft`;
}
