import type { Db, Tx } from "../platform/database.ts";

export async function findPaidUntil(db: Db, no: number): Promise<Date | null> {
  const row = await db
    .selectFrom("memberships")
    .select("paid_until")
    .where("member_no", "=", no)
    .executeTakeFirst();
  return row?.paid_until ?? null;
}

/** Answers false when there is no such member. Grants of one member happen one after the other. */
export async function lockMember(tx: Tx, no: number): Promise<boolean> {
  const row = await tx
    .selectFrom("members")
    .select("member_no")
    .where("member_no", "=", no)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** False when this grant was made before. */
export async function insertGrant(
  tx: Tx,
  grant: { member_no: number; grant_id: string; year: number; month: number; source: "operator"; at: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto("grants")
    .values(grant)
    .onConflict((conflict) => conflict.columns(["member_no", "grant_id"]).doNothing())
    .returning("grant_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function savePaidUntil(tx: Tx, member_no: number, paid_until: Date): Promise<void> {
  await tx
    .insertInto("memberships")
    .values({ member_no, paid_until })
    .onConflict((conflict) =>
      conflict.column("member_no").doUpdateSet((row) => ({ paid_until: row.ref("excluded.paid_until") })),
    )
    .execute();
}

/** Each grant of a member, the oldest first: a range of the key. */
export function readGrants(db: Db, no: number) {
  return db
    .selectFrom("grants")
    .select(["year", "month", "source", "at"])
    .where("member_no", "=", no)
    .orderBy("at")
    .execute();
}
