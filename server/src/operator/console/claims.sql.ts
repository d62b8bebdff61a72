import type { Db } from "../../platform/db/database.ts";

export async function takeClaim(
  db: Db,
  claim: { case_no: number; operator_id: string; expires_at: Date },
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto("case_claims")
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .column("case_no")
        .doUpdateSet({ operator_id: claim.operator_id, expires_at: claim.expires_at })
        .where((where) =>
          where.or([
            where("case_claims.expires_at", "<=", now),
            where("case_claims.operator_id", "=", claim.operator_id),
          ]),
        ),
    )
    .returning("case_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteClaim(
  db: Db,
  { caseNo, operatorId, now }: { caseNo: number; operatorId: string; now: Date },
): Promise<boolean> {
  const row = await db
    .deleteFrom("case_claims")
    .where("case_no", "=", caseNo)
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", now)
    .returning("case_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function holdsClaim(
  db: Db,
  { caseNo, operatorId, now }: { caseNo: number; operatorId: string; now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom("case_claims")
    .select("case_no")
    .where("case_no", "=", caseNo)
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readClaims(db: Db, now: Date): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("case_claims")
    .select(["case_no", "operator_id"])
    .where("expires_at", ">", now)
    .execute();
  return new Map(rows.map(({ case_no, operator_id }) => [case_no, operator_id]));
}
