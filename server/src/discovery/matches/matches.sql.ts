import { sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../../platform/db/database.ts";

export async function areMatched(db: Db, memberId: number, otherMemberId: number): Promise<boolean> {
  return (await runPrepared(db, selectMatch(db, memberId, otherMemberId).compile())).length > 0;
}

const selectMatch = (db: Db, memberId: number, otherMemberId: number) =>
  db
    .selectFrom("match_edges")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId);

/** Prevents the end of a match. Lock order: after members, before the pair's conversation. */
export async function lockMatch(tx: Tx, memberId: number, otherMemberId: number): Promise<boolean> {
  return (await runPrepared(tx, selectMatch(tx, memberId, otherMemberId).forKeyShare().compile())).length > 0;
}

export async function readMatches(
  db: Db,
  memberId: number,
): Promise<{ otherMemberId: number; day: string; isNew: boolean; openedOn: string | null }[]> {
  return db
    .selectFrom("match_edges")
    .select(["other_no as otherMemberId", "day", "is_new as isNew", "opened_on as openedOn"])
    .where("member_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .execute();
}

export async function insertMatchEdge(
  tx: Tx,
  memberId: number,
  otherMemberId: number,
  day: string,
): Promise<boolean> {
  const row = await tx
    .insertInto("match_edges")
    .values({
      member_no: memberId,
      other_no: otherMemberId,
      day,
      sequence_no: sql`nextval('match_sequence')`,
    })
    .onConflict((conflict) => conflict.columns(["member_no", "other_no"]).doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function markMatchOpened(
  db: Db,
  memberId: number,
  otherMemberId: number,
  { day, restsSince }: { day: string; restsSince: string },
): Promise<void> {
  const query = db
    .updateTable("match_edges")
    .set({ opened_on: day })
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId)
    .where("day", "<", restsSince)
    .where((is) => is.or([is("opened_on", "is", null), is("opened_on", "<", restsSince)]));
  await runPrepared(db, query.compile());
}

export async function markMatchSeen(db: Db, memberId: number, otherMemberId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("match_edges")
    .set({ is_new: false })
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId)
    .where("is_new", "=", true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteMatchEdge(
  tx: Tx,
  memberId: number,
  otherMemberId: number,
): Promise<string | null> {
  const row = await tx
    .deleteFrom("match_edges")
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId)
    .returning("day")
    .executeTakeFirst();
  return row?.day ?? null;
}

export async function deleteMatchesOf(
  tx: Tx,
  memberId: number,
): Promise<{ otherMemberId: number; day: string }[]> {
  const matches = (await readMatches(tx, memberId)).toSorted((a, b) => a.otherMemberId - b.otherMemberId);
  const others = matches.map(({ otherMemberId }) => otherMemberId);
  if (others.length === 0) return matches;
  await tx.deleteFrom("match_edges").where("member_no", "=", memberId).execute();
  await tx
    .deleteFrom("match_edges")
    .where("member_no", "=", sql<number>`any(${others}::int8[])`)
    .where("other_no", "=", memberId)
    .execute();
  return matches;
}

/** Includes likes that are completing. Both rows are in one member's shard. Reads the whole table: for a job only. */
export async function findMissedMatches(db: Db) {
  return db
    .selectFrom("likes_received as a")
    .innerJoin("verdicts as b", (join) =>
      join.onRef("b.actor", "=", "a.target").onRef("b.target", "=", "a.actor"),
    )
    .select(["a.target as one", "a.actor as other"])
    .where("b.liked", "=", true)
    .whereRef("a.target", "<", "a.actor")
    .limit(1_000)
    .execute();
}
