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
