import type { Db } from "./database.ts";
import { batched } from "../lib/batch.ts";
import { DatabaseUnavailableError } from "./errors.ts";

type Read<Key, Row> = (db: Db, keys: Key[]) => Promise<ReadonlyMap<Key, Row>>;

const MAX_KEYS = 1_000;
const MAX_STATEMENTS = 2;

/** Nothing is cached: a lookup sees everything committed before it. */
export function batchedLookup<Key extends string | number, Row>(
  read: Read<Key, Row>,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const lookups = new WeakMap<Db, (key: Key) => Promise<Row | undefined>>();

  const newLookup = (db: Db) =>
    batched<Key, Row | undefined>(
      async (keys) => {
        const found = await read(db, [...new Set(keys)]);
        return keys.map((key) => found.get(key));
      },
      { concurrency: MAX_STATEMENTS, maxSize: MAX_KEYS },
    );
  return async (db, key) => {
    const lookup = lookups.get(db) ?? newLookup(db);
    lookups.set(db, lookup);
    try {
      return await lookup(key);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      // A worker that is down fails every lookup of a statement with one of its keys.
      return (await read(db, [key])).get(key);
    }
  };
}
