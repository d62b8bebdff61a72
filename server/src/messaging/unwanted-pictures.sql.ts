import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

export async function wantsPictures(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("picture_opt_outs")
    .select("member_no")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row === undefined;
}

export async function saveOptOut(db: Db, memberId: number, isOut: boolean): Promise<void> {
  if (isOut) {
    await db
      .insertInto("picture_opt_outs")
      .values({ member_no: memberId })
      .onConflict((conflict) => conflict.column("member_no").doNothing())
      .execute();
  } else await db.deleteFrom("picture_opt_outs").where("member_no", "=", memberId).execute();
}

export async function insertUnwanted(db: Db, memberId: number, from: number): Promise<void> {
  await db
    .insertInto("unwanted_pictures")
    .values({ member_no: memberId, other_no: from })
    .onConflict((conflict) => conflict.columns(["member_no", "other_no"]).doNothing())
    .execute();
}

export async function deleteUnwanted(db: Db, memberId: number, from: number): Promise<void> {
  await db
    .deleteFrom("unwanted_pictures")
    .where("member_no", "=", memberId)
    .where("other_no", "=", from)
    .execute();
}

export async function areUnwanted(db: Db, memberId: number, from: number): Promise<boolean> {
  const row = await db
    .selectFrom("unwanted_pictures")
    .select("member_no")
    .where("member_no", "=", memberId)
    .where("other_no", "=", from)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readUnwanted(db: Db, memberId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("unwanted_pictures")
    .select("other_no")
    .where("member_no", "=", memberId)
    .execute();
  return rows.map(({ other_no }) => other_no);
}

export async function readUnwilling(db: Db, memberId: number, others: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom("unwanted_pictures")
    .select("member_no")
    .where("member_no", "=", sql<number>`any(${others}::int8[])`)
    .where("other_no", "=", memberId)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

export async function deleteUnwantedOf(tx: Tx, memberId: number): Promise<void> {
  await tx
    .deleteFrom("unwanted_pictures")
    .where((is) => is.or([is("member_no", "=", memberId), is("other_no", "=", memberId)]))
    .execute();
}
