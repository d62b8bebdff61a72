import { sql } from "kysely";
import { type Db, runPrepared } from "../platform/db/database.ts";

/** Names the member's key in each table, so that a cluster asks one shard. */
const areUnmatched = (memberId: number) => sql`not exists (
  select from match_edges e where e.member_no = ${memberId}::int8 and e.other_no = b.other)`;

/**
 * A block of either side hides `other`, and so does their never-see entry about an unmatched viewer. Reads the viewer's
 * shard only.
 */
export async function isHidden(db: Db, viewer: number, other: number): Promise<boolean> {
  return (await readHidden(db, viewer, [other])).size > 0;
}

export async function readHidden(db: Db, viewer: number, others: readonly number[]): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  const query = sql<{ other: number }>`
    select b.other from block_edges b
    where b.owner = ${viewer}::int8 and b.other = any(${others}::int8[])
      and (b.dir <> 'm' or ${areUnmatched(viewer)})`;
  return new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
}

export async function isHiddenByName(db: Db, viewer: number, other: number): Promise<boolean> {
  const query = sql<{ hidden: boolean | null }>`
    select bool_and(b.dir = 'm' and ${areUnmatched(viewer)}) as hidden from block_edges b
    where b.owner = ${viewer}::int8 and b.other = ${other}::int8`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!.hidden ?? false;
}

/** A match ends the effect of a never-see entry. */
export async function readHiding(db: Db, memberId: number, others: readonly number[]): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  const query = sql<{ other: number }>`
    select b.other from block_edges b
    where b.owner = ${memberId}::int8 and b.other = any(${others}::int8[])
      and (b.dir = 'i' or b.dir = 'm' and ${areUnmatched(memberId)})`;
  return new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
}
