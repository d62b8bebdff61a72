import { sql } from "kysely";
import type { Db } from "../platform/db/database.ts";

export function readVerdicts(db: Db, actor: number, after: number, until: Date, limit: number) {
  return db
    .selectFrom("verdicts")
    .select(["target", "liked", "at"])
    .where("actor", "=", actor)
    .where("target", ">", after)
    .where("at", "<=", until)
    .orderBy("target")
    .limit(limit)
    .execute();
}

export async function readBlockers(
  db: Db,
  memberId: number,
  others: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom("block_edges")
    .select("other")
    .where("owner", "=", memberId)
    .where("other", "=", sql<number>`any(${others}::int8[])`)
    .where("dir", "=", "i")
    .execute();
  return new Set(rows.map(({ other }) => other));
}
