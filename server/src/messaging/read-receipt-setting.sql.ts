import { type Db } from "../platform/db/database.ts";

/** One look-up by primary key for each. */
export async function findHidden(db: Db, memberIds: readonly number[]): Promise<Set<number>> {
  const rows = await Promise.all(
    memberIds.map((memberId) =>
      db
        .selectFrom("hidden_readers")
        .select("member_no")
        .where("member_no", "=", memberId)
        .executeTakeFirst(),
    ),
  );
  return new Set(rows.flatMap((row) => row?.member_no ?? []));
}

/** False when the member was hidden before. */
export async function insertHidden(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .insertInto("hidden_readers")
    .values({ member_no: memberId })
    .onConflict((conflict) => conflict.column("member_no").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the member was not hidden. */
export async function deleteHidden(db: Db, memberId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("hidden_readers")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
