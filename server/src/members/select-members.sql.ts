import type { Db } from "../platform/db/database.ts";

/** Other features join their tables by `member_no` and never name table `members`. */
export function selectMembers(db: Db) {
  return db.selectFrom("members as m");
}

export function selectActiveMembers(db: Db) {
  return selectMembers(db).where("m.account_status", "=", "active");
}
