import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { CasesTables } from "./tables.ts";

export type DecisionRow = Selectable<CasesTables["case_decisions"]>;
export type DecisionKey = Pick<DecisionRow, "case_no" | "decision_no">;

/** The caller holds the case's lock. */
export async function insertDecision(
  tx: Tx,
  row: Omit<Insertable<CasesTables["case_decisions"]>, "decision_no">,
): Promise<number> {
  const { count } = await tx
    .selectFrom("case_decisions")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("case_no", "=", row.case_no)
    .executeTakeFirstOrThrow();
  const decision_no = count + 1;
  await tx
    .insertInto("case_decisions")
    .values({ ...row, decision_no })
    .execute();
  return decision_no;
}

/** Oldest first. */
export async function readDecisions(db: Db, cases: readonly number[]): Promise<DecisionRow[]> {
  if (cases.length === 0) return [];
  return db
    .selectFrom("case_decisions")
    .selectAll()
    .where("case_no", "=", sql<number>`any(${cases}::int8[])`)
    .orderBy("effective_at")
    .orderBy("decision_no")
    .execute();
}

export async function lockDecision(
  tx: Tx,
  { case_no, decision_no }: DecisionKey,
): Promise<DecisionRow | null> {
  const row = await tx
    .selectFrom("case_decisions")
    .selectAll()
    .where("case_no", "=", case_no)
    .where("decision_no", "=", decision_no)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateDecision(
  tx: Tx,
  { case_no, decision_no }: DecisionKey,
  change: Updateable<CasesTables["case_decisions"]>,
): Promise<void> {
  await tx
    .updateTable("case_decisions")
    .set(change)
    .where("case_no", "=", case_no)
    .where("decision_no", "=", decision_no)
    .execute();
}

/** Reads every shard: for a job only. */
export async function findDue(db: Db, now: Date): Promise<DecisionKey[]> {
  return db
    .selectFrom("case_decisions")
    .select(["case_no", "decision_no"])
    .where("state", "=", "waiting")
    .where("effective_at", "<=", now)
    .orderBy("effective_at")
    .execute();
}

/** Reads every shard: for a job only. */
export async function findEnded(db: Db, now: Date): Promise<DecisionKey[]> {
  return db
    .selectFrom("case_decisions")
    .select(["case_no", "decision_no"])
    .where("ends_at", "<=", now)
    .where("state", "=", "announced")
    .execute();
}
