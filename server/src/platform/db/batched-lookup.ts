import DataLoader from "dataloader";
import type { Db } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";

type Read<Key, Row> = (db: Db, keys: Key[]) => Promise<ReadonlyMap<Key, Row>>;

const MAX_KEYS = 1_000;
const MAX_STATEMENTS = 2;

/**
 * Reads the keys that come while two statements run in the next one, so that a busy server runs fewer statements. Caches
 * nothing: a lookup sees everything committed before it.
 */
export function batchedLookup<Key extends string | number, Row>(
  read: Read<Key, Row>,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const loaders = new WeakMap<Db, DataLoader<Key, Row | undefined>>();

  const newLoader = (db: Db) => {
    const waiting: (() => void)[] = [];
    let running = 0;
    return new DataLoader<Key, Row | undefined>(
      async (keys) => {
        running++;
        try {
          const found = await read(db, [...new Set(keys)]);
          return keys.map((key) => found.get(key));
        } finally {
          running--;
          waiting.shift()?.();
        }
      },
      {
        cache: false,
        maxBatchSize: MAX_KEYS,
        batchScheduleFn: (run) => (running < MAX_STATEMENTS ? setImmediate(run) : waiting.push(run)),
      },
    );
  };
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
