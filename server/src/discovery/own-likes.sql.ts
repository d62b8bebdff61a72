import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import { nextNumber } from "../platform/db/sequences.sql.ts";

const isUnmatched = sql<boolean>`not exists (
  select from match_edges e where e.member_no = verdicts.actor and e.other_no = verdicts.target)`;

export function readOwnLikes(db: Db, memberId: number, limit: number) {
  return db
    .selectFrom("verdicts")
    .select(["target", "day"])
    .where("actor", "=", memberId)
    .where("liked", "=", true)
    .where(isUnmatched)
    .orderBy("sequence_no", "desc")
    .limit(limit)
    .execute();
}

export async function turnLikeIntoPass(tx: Tx, actor: number, target: number, day: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("verdicts")
    .set({ liked: false, day, sequence_no: await nextNumber(tx, "verdict_sequence") })
    .where("actor", "=", actor)
    .where("target", "=", target)
    .where("liked", "=", true)
    .where(isUnmatched)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
