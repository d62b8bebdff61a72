import { sql } from "kysely";
import type { Verdict } from "@alcove/contract/discovery";
import type { Db, Tx } from "../platform/db/database.ts";

/** Keeps a like, and a pass from the day `since` on; then returns null. */
export async function recordPass(
  tx: Tx,
  actor: number,
  target: number,
  day: string,
  since: string,
): Promise<number | null> {
  const { rows } = await sql<{ sequence_no: number }>`
    insert into verdicts (actor, target, liked, day, sequence_no)
    values (${actor}, ${target}, false, ${day}, nextval('verdict_sequence'))
    on conflict (actor, target) do update
    set by_block = false, met = true, day = excluded.day, sequence_no = excluded.sequence_no
    where not verdicts.liked and verdicts.day < ${since}
    returning sequence_no`.execute(tx);
  return rows[0]?.sequence_no ?? null;
}

/** Every period of passes contains it. */
export const FOREVER = "9999-12-31";

/** Also replaces a like. */
export async function recordPassForGood(tx: Tx, actor: number, target: number): Promise<number | null> {
  const { rows } = await sql<{ sequence_no: number }>`
    insert into verdicts (actor, target, liked, day, sequence_no)
    values (${actor}, ${target}, false, ${FOREVER}, nextval('verdict_sequence'))
    on conflict (actor, target) do update
    set liked = false, by_block = false, met = true, day = excluded.day, sequence_no = excluded.sequence_no
    where verdicts.day < excluded.day
    returning sequence_no`.execute(tx);
  return rows[0]?.sequence_no ?? null;
}

/** Leaves out passes of a block and those before the day `since`. */
export async function readVerdict(
  db: Db,
  actor: number,
  target: number,
  since: string,
): Promise<Verdict | null> {
  const row = await db
    .selectFrom("verdicts")
    .select(["liked", "day"])
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("by_block", "=", false)
    .executeTakeFirst();
  if (row?.liked) return "like";
  return row && row.day >= since ? "pass" : null;
}

/** Whether this pass still stands. One for good is none. */
export async function hasPass(
  db: Db,
  { actor, target, sequence_no }: { actor: number; target: number; sequence_no: number },
): Promise<boolean> {
  const row = await db
    .selectFrom("verdicts")
    .select("actor")
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("sequence_no", "=", sequence_no)
    .where("day", "<", FOREVER)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes no later one. */
export async function deleteVerdict(
  tx: Tx,
  verdict: { member_no: number; target: number; liked: boolean; sequence_no: number },
): Promise<boolean> {
  const row = await tx
    .deleteFrom("verdicts")
    .where("actor", "=", verdict.member_no)
    .where("target", "=", verdict.target)
    .where("liked", "=", verdict.liked)
    .where("sequence_no", "=", verdict.sequence_no)
    .returning("actor")
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceByPass(
  tx: Tx,
  { actor, target, day, hasMet }: { actor: number; target: number; day: string; hasMet: boolean },
): Promise<void> {
  await sql`
    insert into verdicts (actor, target, liked, by_block, met, day, sequence_no)
    values (${actor}, ${target}, false, true, ${hasMet}, ${day}, nextval('verdict_sequence'))
    on conflict (actor, target) do update
    set liked = false, by_block = true, met = verdicts.met or excluded.met, day = greatest(verdicts.day, excluded.day), sequence_no = excluded.sequence_no`.execute(
    tx,
  );
}

export async function deleteLikeReceived(tx: Tx, target: number, actor: number): Promise<void> {
  await tx.deleteFrom("likes_received").where("target", "=", target).where("actor", "=", actor).execute();
}

/** Returns the liked members. A job deletes the verdicts of others about the member. */
export async function deleteVerdictsOf(tx: Tx, memberId: number): Promise<number[]> {
  const deleted = await tx
    .deleteFrom("verdicts")
    .where("actor", "=", memberId)
    .returning(["target", "liked"])
    .execute();
  const targets = deleted
    .filter(({ liked }) => liked)
    .map(({ target }) => target)
    .toSorted((a, b) => a - b);
  await tx.deleteFrom("likes_received").where("target", "=", memberId).execute();
  if (targets.length === 0) return targets;
  await tx
    .deleteFrom("likes_received")
    .where("target", "=", sql<number>`any(${targets}::int8[])`)
    .where("actor", "=", memberId)
    .execute();
  return targets;
}

/** Reads the whole table: for a job only. */
export async function deleteVerdictsAbout(db: Db, memberId: number): Promise<void> {
  await db.deleteFrom("verdicts").where("target", "=", memberId).execute();
}
