import { sql, type Insertable, type Selectable } from "kysely";
import {
  compileOnce,
  compileValuesOnce,
  type Db,
  inPowersOfTwo,
  runDeferred,
  runPrepared,
  type Tx,
} from "../platform/db/database.ts";
import type { MessagingTables } from "./tables.ts";

export type MessageRow = Selectable<MessagingTables["messages"]>;

const COLUMNS = [
  "pair",
  "message_id",
  "sender_no",
  "client_id",
  "encrypted_text",
  "encrypted_media",
  "encrypted_reply",
  "unsent_no",
] as const;

/** One lookup in `messages_client_id`. */
export function findByClientIdQuery(tx: Tx, pair: string, sender: number, clientId: string | null) {
  return tx
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .where("client_id", "=", sql<string>`${clientId}::uuid`)
    .compile();
}

type NewMessage = Omit<Insertable<MessagingTables["messages"]>, "unsent_no">;

const insertQuery = compileValuesOnce<NewMessage>(
  COLUMNS.filter((column) => column !== "unsent_no"),
  (db, messages) => db.insertInto("messages").values(messages).compile(),
);

/** Runs with the next statement of the transaction. */
export async function insertMessages(tx: Tx, messages: readonly NewMessage[]): Promise<void> {
  await runDeferred(tx, ...inPowersOfTwo(messages).map((some) => insertQuery(tx, some)));
}

const selectNewest = (db: Db, pair: string) =>
  db
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("unsent_no", "is", null)
    .orderBy("message_id", "desc");

/** Newest first: a backward range read of the primary key. */
export const newestMessagesQuery = compileOnce((db, pair: string, limit: number) =>
  selectNewest(db, pair).limit(limit).compile(),
);

export function messagesBeforeQuery(db: Db, pair: string, before: string, limit: number) {
  return selectNewest(db, pair).where("message_id", "<", before).limit(limit).compile();
}

/** Oldest first: a forward range read of the primary key. */
export function messagesAfterQuery(db: Db, pair: string, after: string, limit: number) {
  return db
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("message_id", ">", after)
    .where("unsent_no", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .compile();
}

/** Oldest first. */
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

export async function newestIdOfSender(db: Db, pair: string, sender: number): Promise<string | null> {
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

/** Uses the index `messages_unsent`. */
export function unsentAfterQuery(db: Db, pair: string, after: number, limit: number) {
  return db
    .selectFrom("messages")
    .select(["message_id", "unsent_no"])
    .where("pair", "=", pair)
    .where("unsent_no", ">", after)
    .orderBy("unsent_no")
    .limit(limit)
    .compile();
}

export async function clearMessage(tx: Tx, pair: string, id: string, unsentNo: number): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ encrypted_text: null, encrypted_media: null, encrypted_reply: null, unsent_no: unsentNo })
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .execute();
}

/** In no order. */
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
