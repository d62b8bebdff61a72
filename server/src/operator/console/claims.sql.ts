import type { Db } from "../../platform/db/database.ts";

export async function takeClaim(
  db: Db,
  claim: { case_id: string; operator_id: string; expires_at: Date },
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto("case_claims")
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .column("case_id")
        .doUpdateSet({ operator_id: claim.operator_id, expires_at: claim.expires_at })
        .where((where) =>
          where.or([
            where("case_claims.expires_at", "<=", now),
            where("case_claims.operator_id", "=", claim.operator_id),
          ]),
        ),
    )
    .returning("case_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteClaim(
  db: Db,
  { caseId, operatorId, now }: { caseId: string; operatorId: string; now: Date },
): Promise<boolean> {
  const row = await db
    .deleteFrom("case_claims")
    .where("case_id", "=", caseId)
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", now)
    .returning("case_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function holdsClaim(
  db: Db,
  { caseId, operatorId, now }: { caseId: string; operatorId: string; now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom("case_claims")
    .select("case_id")
    .where("case_id", "=", caseId)
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readClaims(db: Db, now: Date): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("case_claims")
    .select(["case_id", "operator_id"])
    .where("expires_at", ">", now)
    .execute();
  return new Map(rows.map(({ case_id, operator_id }) => [case_id, operator_id]));
}
