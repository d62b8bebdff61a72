import type { Db } from "../platform/db/database.ts";

export function readVerdicts(db: Db, actor: number, after: number, limit: number) {
  return db
    .selectFrom("verdicts")
    .select(["target", "liked", "day"])
    .where("actor", "=", actor)
    .where("target", ">", after)
    .where("by_block", "=", false)
    .orderBy("target")
    .limit(limit)
    .execute();
}
