import { sql } from "kysely";
import { type Db, runPrepared } from "../platform/db/database.ts";

/** Names the member's key in each table, so that a cluster asks one shard. */
const areUnmatched = (memberId: number) => sql`not exists (
  select from match_edges e where e.member_no = ${memberId}::int8 and e.other_no = b.other)`;

/** A block of either side hides `other`; while unmatched also their never-see entry and settings. */
export async function isHidden(db: Db, viewer: number, other: number): Promise<boolean> {
  return (await readHidden(db, viewer, [other])).size > 0;
}

/** Always two statements: the viewer's shard has the blocks, the others' shards have their settings. */
export async function readHidden(db: Db, viewer: number, others: readonly number[]): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  const hidden = await readHiddenByEdge(db, viewer, others);
  return hidden.union(await readHiddenBySetting(db, viewer, others));
}

async function readHiddenByEdge(db: Db, viewer: number, others: readonly number[]): Promise<Set<number>> {
  const query = sql<{ other: number }>`
    select b.other from block_edges b
    where b.owner = ${viewer}::int8 and b.other = any(${others}::int8[])
      and (b.dir <> 'm' or ${areUnmatched(viewer)})`;
  return new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
}

/** Each subquery names the others, so that a cluster asks their shards only. */
export async function readHiddenBySetting(
  db: Db,
  viewer: number,
  others: readonly number[],
): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  const query = sql<{ other: number }>`
    select p.member_no as other from profiles p
    where p.member_no = any(${others}::int8[]) and p.member_no <> ${viewer}::int8
      and (p.is_paused or p.only_liked and not exists (
        select from verdicts v
        where v.actor = p.member_no and v.actor = any(${others}::int8[]) and v.target = ${viewer}::int8 and v.liked offset 0))
      and not exists (
        select from match_edges e
        where e.member_no = p.member_no and e.member_no = any(${others}::int8[]) and e.other_no = ${viewer}::int8 offset 0)`;
  return new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
}

export async function isHiddenByName(db: Db, viewer: number, other: number): Promise<boolean | null> {
  const query = sql<{ hidden: boolean | null }>`
    select bool_and(b.dir = 'm' and ${areUnmatched(viewer)}) as hidden from block_edges b
    where b.owner = ${viewer}::int8 and b.other = ${other}::int8`;
  const [row] = await runPrepared(db, query.compile(db));
  return row!.hidden;
}

export async function readMatched(db: Db, viewer: number, others: readonly number[]): Promise<Set<number>> {
  const query = sql<{ other: number }>`
    select other_no as other from match_edges
    where member_no = ${viewer}::int8 and other_no = any(${others}::int8[])`;
  return new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
}

export async function readHiding(db: Db, memberId: number, others: readonly number[]): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  const query = sql<{ other: number }>`
    select b.other from block_edges b
    where b.owner = ${memberId}::int8 and b.other = any(${others}::int8[])
      and (b.dir = 'i' or b.dir = 'm' and ${areUnmatched(memberId)})`;
  const hiding = new Set((await runPrepared(db, query.compile(db))).map(({ other }) => other));
  return hiding.union(await readHiddenBySetting(db, memberId, others));
}
