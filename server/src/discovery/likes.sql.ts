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

/** Replaces a pass. Returns false for an existing like. */
export async function recordLike(tx: Tx, actor: number, target: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into verdicts (actor, target, liked, at) values (${actor}, ${target}, true, ${at})
    on conflict (actor, target) do update set liked = true, at = excluded.at where not verdicts.liked
    returning actor`.execute(tx);
  return rows.length > 0;
}

export async function readLikeTime(db: Db, actor: number, target: number): Promise<Date | null> {
  const row = await db
    .selectFrom("verdicts")
    .select("at")
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("liked", "=", true)
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function insertLikeReceived(tx: Tx, target: number, actor: number, at: Date): Promise<void> {
  await tx
    .insertInto("likes_received")
    .values({ target, actor, at })
    .onConflict((conflict) => conflict.columns(["target", "actor"]).doNothing())
    .execute();
}
