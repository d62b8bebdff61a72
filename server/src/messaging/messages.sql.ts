import { sql, type Insertable, type Selectable } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import { insertEntry } from "../notifications/index.ts";
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
  "encrypted_reactions",
  "unsent_no",
  "reacted_no",
] as const;

export async function findByClientId(
  tx: Tx,
  pair: string,
  sender: number,
  clientId: string,
): Promise<MessageRow | undefined> {
  const query = tx
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .where("client_id", "=", clientId);
  const [row] = await runPrepared(tx, query.compile());
  return row;
}

export type NewMessage = Omit<Insertable<MessagingTables["messages"]>, "unsent_no">;

export async function insertMessage(tx: Tx, message: NewMessage): Promise<void> {
  await runPrepared(tx, tx.insertInto("messages").values(message).compile());
}

/** Returns null if the conversation cannot advance: see `message-writer.ts`. */
export async function insertNext(
  db: Db,
  message: NewMessage,
  to: { receiver: number; keyId: number; entryId: string; isQuiet: boolean },
): Promise<{ previousId: string; hasEntry: boolean } | null> {
  const { pair, message_id: id, sender_no: sender, client_id } = message;
  const { receiver, keyId, entryId, isQuiet } = to;
  const statement = sql<{ previousId: string; hasEntry: boolean }>`
    with advanced as (
      update conversations set previous_message_id = last_message_id, last_message_id = ${id}::uuid
      where pair = ${pair}::text and key_id = ${keyId}::int8 and last_message_id < ${id}::uuid
        and exists (select from match_edges where member_no = ${sender}::int8 and other_no = ${receiver}::int8)
        and not exists (
          select from messages
          where pair = ${pair}::text and sender_no = ${sender}::int8 and client_id = ${client_id}::uuid)
      returning previous_message_id
    ), stored as (
      insert into messages (pair, message_id, sender_no, client_id, encrypted_text, encrypted_media, encrypted_reply)
      select ${pair}::text, ${id}::uuid, ${sender}::int8, ${client_id}::uuid,
        ${message.encrypted_text}::bytea, null, ${message.encrypted_reply}::bytea
      from advanced
    ), inboxes as (
      insert into inbox as i (member_no, other_no, last_message_id, last_received_id)
      select v.member_no, v.other_no, ${id}::uuid, v.received_id
      from advanced, (values
        (${sender}::int8, ${receiver}::int8, null::uuid), (${receiver}::int8, ${sender}::int8, ${id}::uuid)
      ) v (member_no, other_no, received_id)
      on conflict (member_no, other_no) do update set
        last_message_id = excluded.last_message_id,
        last_received_id = coalesce(excluded.last_received_id, i.last_received_id)
    ), entries as (
      ${insertEntry({ memberId: receiver, from: sender, entryId, kind: "message", onlyIf: sql`not ${isQuiet}::bool and exists (select from advanced)` })}
    )
    select previous_message_id as "previousId", exists (select from entries) as "hasEntry" from advanced`;
  const [row] = await runPrepared(db, statement.compile(db));
  return row ?? null;
}

const selectNewest = (db: Db, pair: string) =>
  db
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("unsent_no", "is", null)
    .orderBy("message_id", "desc");

/** A backward range read of the primary key. */
export async function newestMessages(db: Db, pair: string, limit: number): Promise<MessageRow[]> {
  return runPrepared(db, selectNewest(db, pair).limit(limit).compile());
}

export async function messagesBefore(
  db: Db,
  pair: string,
  before: string,
  limit: number,
): Promise<MessageRow[]> {
  return runPrepared(db, selectNewest(db, pair).where("message_id", "<", before).limit(limit).compile());
}

export async function messagesAfter(
  db: Db,
  pair: string,
  after: string,
  limit: number,
): Promise<MessageRow[]> {
  const query = db
    .selectFrom("messages")
    .select(COLUMNS)
    .where("pair", "=", pair)
    .where("message_id", ">", after)
    .where("unsent_no", "is", null)
    .orderBy("message_id")
    .limit(limit);
  return runPrepared(db, query.compile());
}

export async function messagesSince(db: Db, pair: string, since: string): Promise<MessageRow[]> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", ">=", since)
    .where("unsent_no", "is", null)
    .execute();
}

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

/**
 * The next messages that were unsent or reacted to, by the number of the change. One statement, so that no number is missed. Uses
 * the indexes `messages_unsent` and `messages_reacted`.
 */
export async function changedAfter(
  db: Db,
  pair: string,
  after: number,
  limit: number,
): Promise<(MessageRow & { change_no: number })[]> {
  const changed = (column: "unsent_no" | "reacted_no") =>
    db
      .selectFrom("messages")
      .select(COLUMNS)
      .select((eb) => eb.ref(column).$notNull().as("change_no"))
      .where("pair", "=", pair)
      .where(column, ">", after)
      .orderBy(column)
      .limit(limit);
  const query = sql<MessageRow & { change_no: number }>`
    (${changed("unsent_no")}) union all (${changed("reacted_no")}) order by change_no limit ${sql.lit(limit)}`;
  return runPrepared(db, query.compile(db));
}

export async function reactedAfter(
  db: Db,
  pair: string,
  after: number,
  limit: number,
): Promise<MessageRow[]> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("reacted_no", ">", after)
    .orderBy("reacted_no")
    .limit(limit)
    .execute();
}

export async function updateReactions(
  tx: Tx,
  pair: string,
  id: string,
  reactions: Pick<MessageRow, "encrypted_reactions" | "reacted_no">,
): Promise<void> {
  await tx
    .updateTable("messages")
    .set(reactions)
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .execute();
}

export async function clearMessage(tx: Tx, pair: string, id: string, unsentNo: number): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ encrypted_text: null, encrypted_media: null, encrypted_reply: null, unsent_no: unsentNo })
    .set({ encrypted_reactions: null, reacted_no: null })
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .execute();
}

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
