import type { Db } from "../platform/db/database.ts";

export async function showsTyping(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("typing_opt_ins")
    .select("member_no")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveOptIn(db: Db, memberId: number, isShown: boolean): Promise<void> {
  if (isShown) {
    await db
      .insertInto("typing_opt_ins")
      .values({ member_no: memberId })
      .onConflict((conflict) => conflict.column("member_no").doNothing())
      .execute();
  } else await db.deleteFrom("typing_opt_ins").where("member_no", "=", memberId).execute();
}
