import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/** Omits user ids that do not exist. */
export async function findMemberIds(db: Db, foldedUserIds: readonly string[]): Promise<number[]> {
  const logins = await db
    .selectFrom("logins")
    .select("member_no")
    .where("folded_user_id", "=", sql<string>`any(${foldedUserIds}::text[])`)
    .execute();
  return logins.map(({ member_no }) => member_no);
}
