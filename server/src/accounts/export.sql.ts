import { selectMembers } from "../members/select-members.sql.ts";
import type { Db } from "../platform/db/database.ts";

export function readAccount(db: Db, memberId: number) {
  return selectMembers(db)
    .select(["created_at", "language", "invited_by", "visited_on", "age_checked_on"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

export function readSessions(db: Db, memberId: number) {
  return db
    .selectFrom("sessions")
    .select(["session_id", "created_at", "refreshed_at", "ended_at"])
    .where("member_no", "=", memberId)
    .orderBy("created_at")
    .execute();
}
