import type { Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ConsoleTables } from "./tables.ts";

export type RequestRow = Selectable<ConsoleTables["operator_requests"]>;

export async function insertRequest(db: Db, request: RequestRow): Promise<void> {
  await db.insertInto("operator_requests").values(request).execute();
}

/** Oldest first. */
export function readRequests(db: Db, now: Date): Promise<RequestRow[]> {
  return db
    .selectFrom("operator_requests")
    .selectAll()
    .where("expires_at", ">", now)
    .orderBy("expires_at")
    .orderBy("request_id")
    .execute();
}

export function readRequestsOf(
  db: Db,
  { action, operator_id, subject_no }: Pick<RequestRow, "action" | "operator_id" | "subject_no">,
  now: Date,
): Promise<RequestRow[]> {
  return db
    .selectFrom("operator_requests")
    .selectAll()
    .where("action", "=", action)
    .where("operator_id", "is not distinct from", operator_id)
    .where("subject_no", "is not distinct from", subject_no)
    .where("expires_at", ">", now)
    .execute();
}

export async function lockRequest(tx: Tx, requestId: string, now: Date): Promise<RequestRow | null> {
  const row = await tx
    .selectFrom("operator_requests")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("expires_at", ">", now)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function setApproved(tx: Tx, requestId: string, expires_at: Date): Promise<void> {
  await tx
    .updateTable("operator_requests")
    .set({ is_approved: true, expires_at })
    .where("request_id", "=", requestId)
    .execute();
}

/** Returns false if another process was first. */
export async function deleteRequest(db: Db, requestId: string): Promise<boolean> {
  const row = await db
    .deleteFrom("operator_requests")
    .where("request_id", "=", requestId)
    .returning("request_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteRequestsAbout(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("operator_requests").where("subject_no", "=", memberId).execute();
}

/** Whether anybody but the command line, and but this operator, can log in to the console. */
export async function hasOtherOperator(db: Db, operatorId: string | null): Promise<boolean> {
  const row = await db
    .selectFrom("operator_passkeys")
    .select("operator_id")
    .$if(operatorId !== null, (query) => query.where("operator_id", "!=", operatorId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
