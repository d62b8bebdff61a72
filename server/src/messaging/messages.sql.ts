import { sql, type Insertable, type Selectable } from "kysely";
import { columnsOf, type Db, runDeferred, runPrepared, type Tx } from "../platform/db/database.ts";
import type { MessagingTables } from "./tables.ts";

export type MessageRow = Selectable<MessagingTables["messages"]>;

const COLUMNS = [
  "pair",
  "message_id",
  "sender_no",
  "client_id",
  "encrypted_text",
  "encrypted_media",
  "created_at",
  "unsent_no",
] as const;

/** One key look-up: `messages_client_id`. */
export function byClientIdQuery(tx: Tx, pair: string, sender: number, clientId: string | null) {
  return tx
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .where("client_id", "=", sql<string>`${clientId}::uuid`)
    .compile();
}

/** Stores messages, with the transaction's next statement. */
export async function insertMessages(
  tx: Tx,
  messages: readonly Omit<Insertable<MessagingTables["messages"]>, "unsent_no">[],
): Promise<void> {
  const all = columnsOf(messages);
  const statement = sql`
    insert into messages (pair, message_id, sender_no, client_id, encrypted_text, encrypted_media, created_at)
    select * from unnest(${all.pair}::text[], ${all.message_id}::uuid[], ${all.sender_no}::int8[],
      ${all.client_id}::uuid[], ${all.encrypted_text}::bytea[], ${all.encrypted_media}::bytea[],
      ${all.created_at}::timestamptz[])`;
  await runDeferred(tx, statement.compile(tx));
}

/** The newest `limit` messages of a pair, or of those before an id: a backward range read of the primary key. */
export async function newestMessages(
  db: Db,
  pair: string,
  before: string | null,
  limit: number,
): Promise<MessageRow[]> {
  const query = db.selectFrom("messages").selectAll().where("pair", "=", pair).where("unsent_no", "is", null);
  const range = before === null ? query : query.where("message_id", "<", before);
  return await range.orderBy("message_id", "desc").limit(limit).execute();
}

/** The oldest `limit` messages of a pair after an id: a forward range read of the primary key. */
export async function messagesAfter(
  db: Db,
  pair: string,
  after: string,
  limit: number,
): Promise<MessageRow[]> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", ">", after)
    .where("unsent_no", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .execute();
}

/** A page of what one of a pair has written after one message and until another: a range of the primary key. */
export async function messagesOfSender(
  db: Db,
  pair: string,
  sender: number,
  { after, until }: { after: string; until: string },
  limit: number,
): Promise<MessageRow[]> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", ">", after)
    .where("message_id", "<=", until)
    .where("sender_no", "=", sender)
    .where("unsent_no", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .execute();
}

/** The newest message that one of a pair has sent and not taken back: a backward range read of the primary key. */
export async function newestOfSender(db: Db, pair: string, sender: number): Promise<string | null> {
  const row = await db
    .selectFrom("messages")
    .select("message_id")
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .where("unsent_no", "is", null)
    .orderBy("message_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.message_id ?? null;
}

/** The messages of a pair that were taken back after the `after`th, in that order: `messages_unsent`. */
export async function unsentAfter(
  db: Db,
  pair: string,
  after: number,
  limit: number,
): Promise<{ message_id: string; unsent_no: number | null }[]> {
  return await db
    .selectFrom("messages")
    .select(["message_id", "unsent_no"])
    .where("pair", "=", pair)
    .where("unsent_no", ">", after)
    .orderBy("unsent_no")
    .limit(limit)
    .execute();
}

/** Empties a message for good; its row stays under `no`. */
export async function emptyMessage(tx: Tx, pair: string, id: string, memberId: number): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ encrypted_text: null, encrypted_media: null, unsent_no: memberId })
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .execute();
}

/** Messages of several pairs by their ids, in no order. */
export async function messagesByIds(
  db: Db,
  pairs: readonly string[],
  ids: readonly string[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const query = db
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", sql<string>`any(${pairs}::text[])`)
    .where("message_id", "=", sql<string>`any(${ids}::uuid[])`);
  return runPrepared(db, query.compile());
}

/** The messages of a pair that carry an image. */
export async function messagesWithImage(db: Db, pair: string): Promise<MessageRow[]> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("encrypted_media", "is not", null)
    .execute();
}

export async function deleteMessages(tx: Tx, pair: string): Promise<void> {
  await tx.deleteFrom("messages").where("pair", "=", pair).execute();
}
