import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

export async function hasLiked(db: Db, actor: number, target: number): Promise<boolean> {
  const row = await db
    .selectFrom("verdicts")
    .select("liked")
    .where("actor", "=", actor)
    .where("target", "=", target)
    .executeTakeFirst();
  return row?.liked === true;
}

/** Replaces a pass. Returns null for an existing like. */
export async function recordLike(tx: Tx, actor: number, target: number, day: string): Promise<number | null> {
  const { rows } = await sql<{ sequence_no: number }>`
    insert into verdicts (actor, target, liked, day, sequence_no)
    values (${actor}, ${target}, true, ${day}, nextval('verdict_sequence'))
    on conflict (actor, target) do update
    set liked = true, by_block = false, met = true, day = excluded.day, sequence_no = excluded.sequence_no
    where not verdicts.liked
    returning sequence_no`.execute(tx);
  return rows[0]?.sequence_no ?? null;
}

export async function findLike(db: Db, actor: number, target: number): Promise<number | null> {
  const row = await db
    .selectFrom("verdicts")
    .select("sequence_no")
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("liked", "=", true)
    .executeTakeFirst();
  return row?.sequence_no ?? null;
}

export function readLikes(db: Db, actor: number) {
  return db
    .selectFrom("verdicts")
    .select(["target", "sequence_no"])
    .where("actor", "=", actor)
    .where("liked", "=", true)
    .execute();
}

export async function insertLikeReceived(
  tx: Tx,
  target: number,
  actor: number,
  sequence_no: number,
): Promise<void> {
  await tx
    .insertInto("likes_received")
    .values({ target, actor, sequence_no })
    .onConflict((conflict) => conflict.columns(["target", "actor"]).doNothing())
    .execute();
}
