import { type Db, runPrepared } from "../platform/db/database.ts";

/** One statement for each member, so that each stays on its shard. */
export async function hasOptedOut(db: Db, memberId: number): Promise<boolean> {
  const query = db.selectFrom("read_receipt_opt_outs").select("member_no").where("member_no", "=", memberId);
  return (await runPrepared(db, query.compile())).length > 0;
}

export async function insertOptOut(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .insertInto("read_receipt_opt_outs")
    .values({ member_no: memberId })
    .onConflict((conflict) => conflict.column("member_no").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOptOut(db: Db, memberId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("read_receipt_opt_outs")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
