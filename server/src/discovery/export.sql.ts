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

/** The others who blocked the member or named them in a never-see list. */
export async function readHiding(db: Db, memberId: number, others: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom("block_edges")
    .select("other")
    .where("owner", "=", memberId)
    .where("other", "=", sql<number>`any(${others}::int8[])`)
    .where("dir", "in", ["i", "m"])
    .execute();
  return new Set(rows.map(({ other }) => other));
}
