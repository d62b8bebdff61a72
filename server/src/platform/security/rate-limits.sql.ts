import { sql } from "kysely";
import { type Db, runPrepared } from "../db/database.ts";

interface Hit {
  subject_digest: Buffer;
  /** How many may lie within the window, which began at `since`. */
  most: number;
  since: Date;
  now: Date;
  forgotten_at: Date;
}

/**
 * Counts a hit, unless the window is full: it is when the one that lies `most` hits back is not older than its
 * beginning. One statement on one row, so that of parallel tries in all processes exactly as many get in as there is
 * room for.
 */
export async function recordHit(db: Db, hit: Hit): Promise<boolean> {
  const statement = sql`
    insert into rate_limits as kept (subject_digest, hits, forgotten_at)
    values (${hit.subject_digest}, array[${hit.now}::timestamptz], ${hit.forgotten_at})
    on conflict (subject_digest) do update set
      hits = (kept.hits || excluded.hits)[greatest(1, cardinality(kept.hits) + 2 - ${hit.most}::int4):],
      forgotten_at = excluded.forgotten_at
    where cardinality(kept.hits) < ${hit.most}::int4
      or kept.hits[cardinality(kept.hits) + 1 - ${hit.most}::int4] <= ${hit.since}::timestamptz
    returning true`;
  return (await runPrepared(db, statement.compile(db))).length > 0;
}

/** One look-up by primary key. */
export async function readHits(db: Db, subject_digest: Buffer): Promise<readonly Date[]> {
  const row = await db
    .selectFrom("rate_limits")
    .select("hits")
    .where("subject_digest", "=", subject_digest)
    .executeTakeFirst();
  return row?.hits ?? [];
}

export async function deleteForgotten(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("forgotten_at", "<=", now).execute();
}
