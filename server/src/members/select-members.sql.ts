import type { Db } from "../platform/db/database.ts";

/** Starts a query on `members m`. Other features join their tables by `member_no` and never name this table. */
export function selectMembers(db: Db) {
  return db.selectFrom("members as m");
}

export function selectActiveMembers(db: Db) {
  return selectMembers(db).where("m.account_status", "=", "active");
}
