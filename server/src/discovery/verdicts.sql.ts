import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

/** Keeps a like, and a pass after `since`. Returns false if it kept one. */
export async function recordPass(
  tx: Tx,
  actor: number,
  target: number,
  at: Date,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into verdicts (actor, target, liked, at) values (${actor}, ${target}, false, ${at})
    on conflict (actor, target) do update set at = excluded.at
    where not verdicts.liked and verdicts.at <= ${since}
    returning actor`.execute(tx);
  return rows.length > 0;
}

/** Deletes only the pass of this time. */
export async function deletePass(tx: Tx, actor: number, target: number, at: Date): Promise<boolean> {
  const row = await tx
    .deleteFrom("verdicts")
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("liked", "=", false)
    .where("at", "=", at)
    .returning("actor")
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceByPass(tx: Tx, actor: number, target: number, at: Date): Promise<void> {
  await tx
    .insertInto("verdicts")
    .values({ actor, target, liked: false, at })
    .onConflict((conflict) => conflict.columns(["actor", "target"]).doUpdateSet({ liked: false, at }))
    .execute();
}

export async function deleteLikeReceived(tx: Tx, target: number, actor: number): Promise<void> {
  await tx.deleteFrom("likes_received").where("target", "=", target).where("actor", "=", actor).execute();
}

/** A job deletes the verdicts of others about the member. */
export async function deleteVerdictsOf(tx: Tx, memberId: number): Promise<void> {
  const deleted = await tx.deleteFrom("verdicts").where("actor", "=", memberId).returning("target").execute();
  const targets = deleted.map(({ target }) => target).toSorted((a, b) => a - b);
  await tx
    .deleteFrom("likes_received")
    .where("target", "=", sql<number>`any(${targets}::int8[])`)
    .where("actor", "=", memberId)
    .execute();
  await tx.deleteFrom("likes_received").where("target", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function deleteVerdictsAbout(db: Db, memberId: number): Promise<void> {
  await db.deleteFrom("verdicts").where("target", "=", memberId).execute();
}
