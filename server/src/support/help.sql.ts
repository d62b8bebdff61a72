import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { SupportTables } from "./tables.ts";

export type HelpRow = Selectable<SupportTables["help_messages"]>;

export async function insertMessage(
  tx: Tx,
  message: Omit<Insertable<SupportTables["help_messages"]>, "sequence_no">,
): Promise<void> {
  const sequence_no = sql<number>`nextval('help_sequence')`;
  await tx
    .insertInto("help_messages")
    .values({ ...message, sequence_no })
    .execute();
}

/** Newest first. */
export function readMessages(db: Db, memberId: number, limit: number): Promise<HelpRow[]> {
  return db
    .selectFrom("help_messages")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("sequence_no", "desc")
    .limit(limit)
    .execute();
}

/** Reads every shard: for operators only. Oldest first; `message_id` is the newest question. */
export async function readOpenThreads(db: Db, limit: number) {
  const { rows } = await sql<{ message_id: string; since: string; questions: number }>`
    select (array_agg(message_id order by sequence_no desc))[1] as message_id,
      min(sent_on) as since, count(*)::int4 as questions
    from help_messages where is_open
    group by member_no order by min(sequence_no) limit ${limit}`.execute(db);
  return rows;
}

/** Reads every shard: for operators only. */
export async function findOwner(db: Db, messageId: string): Promise<number | null> {
  const row = await db
    .selectFrom("help_messages")
    .select("member_no")
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row?.member_no ?? null;
}

export async function closeQuestions(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable("help_messages")
    .set({ is_open: false })
    .where("member_no", "=", memberId)
    .where("is_open", "=", true)
    .execute();
}

export async function deleteMessagesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("help_messages").where("member_no", "=", memberId).execute();
}
