import type { Db } from "./database.ts";
import { batched } from "../lib/batch.ts";

/** Reads the rows of some keys, each under its key; a key without a row is left out. */
type Read<Key, Row> = (db: Db, keys: Key[]) => Promise<ReadonlyMap<Key, Row>>;

const KEYS_MAX = 1_000;
const STATEMENTS_AT_ONCE = 2;

/**
 * Makes a look-up by key of a way to read several: what is looked up at the same time, by whomever, is read in one
 * statement. Nothing is remembered: each sees all that was committed before it asked. Answers undefined without a row.
 */
export function batchedLookup<Key extends string | number, Row>(
  read: Read<Key, Row>,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const lookUps = new WeakMap<Db, (key: Key) => Promise<Row | undefined>>();

  const lookUpsIn = (db: Db) =>
    batched<Key, Row | undefined>(
      async (keys) => {
        const found = await read(db, [...new Set(keys)]);
        return keys.map((key) => found.get(key));
      },
      { atOnce: STATEMENTS_AT_ONCE, most: KEYS_MAX },
    );
  return (db, key) => {
    const lookUp = lookUps.get(db) ?? lookUpsIn(db);
    lookUps.set(db, lookUp);
    return lookUp(key);
  };
}
