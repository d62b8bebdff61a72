import type { Db } from "../platform/db/database.ts";

/** Ignores muted conversations. */
export async function hasUnread(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("inbox")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("is_muted", "=", false)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", is.ref("last_received_id"))]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
