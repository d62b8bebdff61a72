import { compileOnce, type Db, runPipelined } from "../platform/db/database.ts";

/** One lookup for each member, so that each stays on its shard. */
export const optOutQuery = compileOnce((db, memberId: number) =>
  db.selectFrom("read_receipt_opt_outs").select("member_no").where("member_no", "=", memberId).compile(),
);

export async function readOptOuts(db: Db, memberIds: readonly number[]): Promise<Set<number>> {
  const found = await runPipelined<{ member_no: number }[]>(
    db,
    memberIds.map((memberId) => optOutQuery(db, memberId)),
  );
  return new Set(found.flat().map(({ member_no }) => member_no));
}

/** Returns false without a change. */
export async function insertOptOut(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .insertInto("read_receipt_opt_outs")
    .values({ member_no: memberId })
    .onConflict((conflict) => conflict.column("member_no").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false without a change. */
export async function deleteOptOut(db: Db, memberId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("read_receipt_opt_outs")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
