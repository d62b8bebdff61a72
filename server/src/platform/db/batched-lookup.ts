import DataLoader from "dataloader";
import type { Db } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";

type Read<Key, Row> = (db: Db, keys: Key[]) => Promise<ReadonlyMap<Key, Row>>;

const MAX_KEYS = 1_000;

/** Reads the keys of one turn of the event loop in one statement. Caches nothing: a lookup sees everything committed before it. */
export function batchedLookup<Key extends string | number, Row>(
  read: Read<Key, Row>,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const loaders = new WeakMap<Db, DataLoader<Key, Row | undefined>>();

  const newLoader = (db: Db) =>
    new DataLoader<Key, Row | undefined>(
      async (keys) => {
        const found = await read(db, [...new Set(keys)]);
        return keys.map((key) => found.get(key));
      },
      { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: (run) => setImmediate(run) },
    );
  return async (db, key) => {
    const loader = loaders.get(db) ?? newLoader(db);
    loaders.set(db, loader);
    try {
      return await loader.load(key);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      // A worker that is down fails every lookup of a statement with one of its keys.
      return (await read(db, [key])).get(key);
    }
  };
}
