import { readQuiet } from "../profiles/index.ts";
import type { Db } from "../platform/db/database.ts";

/** Ignores muted conversations, and suspended, frozen and limited members. */
export async function hasUnread(db: Db, memberId: number): Promise<boolean> {
  const rows = await db
    .selectFrom("inbox")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("is_muted", "=", false)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", is.ref("last_received_id"))]))
    .execute();
  return hasAnnounced(db, rows);
}

export async function hasNewMatch(db: Db, memberId: number): Promise<boolean> {
  const rows = await db
    .selectFrom("match_edges")
    .select("other_no")
    .where("member_no", "=", memberId)
    .where("is_new", "=", true)
    .execute();
  return hasAnnounced(db, rows);
}

async function hasAnnounced(db: Db, rows: readonly { other_no: number }[]): Promise<boolean> {
  const others = rows.map(({ other_no }) => other_no);
  return others.length > 0 && (await readQuiet(db, others)).size < others.length;
}
