import { sql } from "kysely";
import { MINUTE_MS } from "../clock.ts";
import { type Db, runPrepared } from "../db/database.ts";

const MAX_CLOCK_LEAD_MS = 5 * MINUTE_MS;

interface Hit {
  subject_digest: Buffer;
  max: number;
  since: Date;
  now: Date;
  expires_at: Date;
}

/** `width_bucket` counts the hits before the window; hits are sorted. */
const withoutOldest = ({ max, since }: Hit) => sql`(stored.hits || excluded.hits)[greatest(
  1, cardinality(stored.hits) + 2 - ${max}::int4, width_bucket(${since}::timestamptz, stored.hits) + 1):]`;

/**
 * Returns false if the window is full. One statement on one row: parallel hits get exactly the free places. Hits of a
 * clock that was minutes ahead do not count.
 */
export async function recordHit(db: Db, hit: Hit): Promise<boolean> {
  // Citus rejects `+ interval` here.
  const latest = new Date(hit.now.getTime() + MAX_CLOCK_LEAD_MS);
  const statement = sql`
    insert into rate_limits as stored (subject_digest, hits, expires_at)
    values (${hit.subject_digest}, array[${hit.now}::timestamptz], ${hit.expires_at})
    on conflict (subject_digest) do update set
      hits = ${withoutOldest(hit)},
      expires_at = excluded.expires_at
    where cardinality(stored.hits) < ${hit.max}::int4
      or stored.hits[cardinality(stored.hits) + 1 - ${hit.max}::int4] <= ${hit.since}::timestamptz
      or stored.hits[cardinality(stored.hits) + 1 - ${hit.max}::int4] > ${latest}::timestamptz
    returning true`;
  return (await runPrepared(db, statement.compile(db))).length > 0;
}

/** In a full window, replaces the oldest hit. */
export async function recordNewestHit(db: Db, hit: Hit): Promise<void> {
  const statement = sql`
    insert into rate_limits as stored (subject_digest, hits, expires_at)
    values (${hit.subject_digest}, array[${hit.now}::timestamptz], ${hit.expires_at})
    on conflict (subject_digest) do update set
      hits = ${withoutOldest(hit)},
      expires_at = excluded.expires_at`;
  await runPrepared(db, statement.compile(db));
}

export async function removeHit(db: Db, subject_digest: Buffer, at: Date): Promise<void> {
  const statement = sql`
    update rate_limits
    set hits = hits[:array_position(hits, ${at}::timestamptz) - 1] || hits[array_position(hits, ${at}::timestamptz) + 1:]
    where subject_digest = ${subject_digest} and ${at}::timestamptz = any(hits)`;
  await runPrepared(db, statement.compile(db));
}

export async function readHits(db: Db, subject_digest: Buffer): Promise<readonly Date[]> {
  const row = await db
    .selectFrom("rate_limits")
    .select("hits")
    .where("subject_digest", "=", subject_digest)
    .executeTakeFirst();
  return row?.hits ?? [];
}

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expires_at", "<=", now).execute();
}
