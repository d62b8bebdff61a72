import DataLoader from "dataloader";
import type { Db } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";

type Read<Key, Row> = (db: Db, keys: Key[]) => Promise<ReadonlyMap<Key, Row>>;

const MAX_KEYS = 1_000;
const MAX_STATEMENTS = 2;
/** A slower statement no longer counts as running, so that others need not wait for a connection that became silent. */
const SLOW_MS = 500;

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
    const start = (run: () => void) => {
      running++;
      setImmediate(run);
    };
    return new DataLoader<Key, Row | undefined>(
      async (keys) => {
        let isCounted = true;
        const release = () => {
          if (!isCounted) return;
          isCounted = false;
          running--;
          const next = waiting.shift();
          if (next) start(next);
        };
        const slow = setTimeout(release, SLOW_MS).unref();
        try {
          const found = await read(db, [...new Set(keys)]);
          return keys.map((key) => found.get(key));
        } finally {
          clearTimeout(slow);
          release();
        }
      },
      {
        cache: false,
        maxBatchSize: MAX_KEYS,
        batchScheduleFn: (run) => {
          if (running < MAX_STATEMENTS) start(run);
          else waiting.push(run);
        },
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
