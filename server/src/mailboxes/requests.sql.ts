import type { Insertable, Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { MailboxesTables } from "./tables.ts";

export type RequestRow = Selectable<MailboxesTables["mailbox_requests"]>;
export type RequestState = RequestRow["state"];

export async function insertRequest(
  tx: Tx,
  request: Insertable<MailboxesTables["mailbox_requests"]>,
): Promise<void> {
  await tx
    .insertInto("mailbox_requests")
    .values(request)
    .onConflict((conflict) => conflict.columns(["member_no", "request_id"]).doNothing())
    .execute();
}

export async function readRequests(db: Db, memberId: number): Promise<RequestRow[]> {
  return db.selectFrom("mailbox_requests").selectAll().where("member_no", "=", memberId).execute();
}

/** Oldest first. Reads every shard: for operators and jobs only. */
export async function readAllOpen(db: Db, limit: number): Promise<RequestRow[]> {
  return db
    .selectFrom("mailbox_requests")
    .selectAll()
    .where("state", "=", "open")
    .orderBy("asked_on")
    .orderBy("request_id")
    .limit(limit)
    .execute();
}

export async function endRequest(
  tx: Tx,
  memberId: number,
  { from, to, id = null }: { from: RequestState; to: RequestState; id?: string | null },
): Promise<boolean> {
  const rows = await tx
    .updateTable("mailbox_requests")
    .set({ state: to, encrypted_content: null, confirm_until: null })
    .where("member_no", "=", memberId)
    .where("state", "=", from)
    .$if(id !== null, (update) => update.where("request_id", "=", id))
    .returning("request_id")
    .execute();
  return rows.length > 0;
}

export async function setTold(tx: Tx, { member_no, request_id }: RequestRow, told: number): Promise<void> {
  await tx
    .updateTable("mailbox_requests")
    .set({ told })
    .where("member_no", "=", member_no)
    .where("request_id", "=", request_id)
    .execute();
}

/** Writes every shard: for a job only. */
export async function deleteRequests(
  db: Db,
  { unconfirmedAt, endedOn }: { unconfirmedAt: Date; endedOn: string },
): Promise<void> {
  await db
    .deleteFrom("mailbox_requests")
    .where("state", "=", "proven")
    .where("confirm_until", "<=", unconfirmedAt)
    .execute();
  await db
    .deleteFrom("mailbox_requests")
    .where("state", "<>", "open")
    .where("asked_on", "<=", endedOn)
    .execute();
}

/** Writes every shard: for a job only. */
export async function rejectOpenBefore(db: Db, day: string): Promise<void> {
  await db
    .updateTable("mailbox_requests")
    .set({ state: "rejected", encrypted_content: null })
    .where("state", "=", "open")
    .where("asked_on", "<=", day)
    .execute();
}

export async function deleteRequestsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("mailbox_requests").where("member_no", "=", memberId).execute();
}
