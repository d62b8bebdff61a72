import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Pair } from "../pair.ts";
import type { MessagingTables } from "../tables.ts";

export type HiddenMessageRow = Selectable<MessagingTables["hidden_messages"]>;
const NO_ID = "00000000-0000-0000-0000-000000000000";
type HiddenRow = Selectable<MessagingTables["hidden_conversations"]>;

export async function insertHidden(tx: Tx, row: HiddenRow): Promise<void> {
  await tx.insertInto("hidden_conversations").values(row).execute();
}

/** Leaves out unsent messages. Returns the number of copies. */
export async function copyMessages(
  tx: Tx,
  pair: string,
  keyId: number,
  only: SenderAndId | null = null,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into hidden_messages (pair, key_id, message_id, sender_no, encrypted_text, encrypted_media)
    select pair, ${keyId}::int8, message_id, sender_no, encrypted_text, encrypted_media from messages
    where pair = ${pair} and unsent_no is null
      and (${only === null} or (sender_no = ${only?.sender ?? 0}::int8
        and message_id >= ${only?.from ?? NO_ID}::uuid))`.execute(tx);
  return Number(numAffectedRows);
}

export interface SenderAndId {
  readonly sender: number;
  readonly from: string;
}

/** Deletes all other messages of the hidden conversation, and returns them. */
export async function keepOnly(
  tx: Tx,
  pair: string,
  keyId: number,
  { sender, from }: SenderAndId,
): Promise<HiddenMessageRow[]> {
  return await tx
    .deleteFrom("hidden_messages")
    .where("pair", "=", pair)
    .where("key_id", "=", keyId)
    .where((where) => where.or([where("sender_no", "<>", sender), where("message_id", "<", from)]))
    .returningAll()
    .execute();
}

export async function hasHiddenMessages(tx: Tx, pair: string, keyId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("hidden_messages")
    .select("message_id")
    .where("pair", "=", pair)
    .where("key_id", "=", keyId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** On both sides. Returns false if the other side left before. */
export async function setLeft(tx: Tx, { low, high }: Pair, keyId: number, day: string): Promise<boolean> {
  let isFirst = false;
  for (const [memberId, other] of [
    [low, high],
    [high, low],
  ] as const) {
    const row = await tx
      .updateTable("hidden_conversations")
      .set({ left_on: day })
      .where("member_no", "=", memberId)
      .where("other_no", "=", other)
      .where("key_id", "=", keyId)
      .where("left_on", "is", null)
      .returning("key_id")
      .executeTakeFirst();
    isFirst = row !== undefined;
  }
  return isFirst;
}

/** Whether `left` wrote to the member, deleted their account, and can still be reported. */
export async function hasLeft(db: Db, memberId: number, left: number): Promise<boolean> {
  const row = await db
    .selectFrom("hidden_conversations")
    .select("key_id")
    .where("member_no", "=", memberId)
    .where("other_no", "=", left)
    .where("left_on", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasAnyLeft(db: Db, left: number): Promise<boolean> {
  const row = await db
    .selectFrom("hidden_conversations")
    .select("key_id")
    .where("member_no", "=", left)
    .where("left_on", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readHiddenOf(tx: Tx, memberId: number): Promise<HiddenRow[]> {
  return await tx
    .selectFrom("hidden_conversations")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("other_no")
    .execute();
}

/** Reads the whole table: for a job only. One row for each conversation. */
export async function findHiddenUntil(db: Db, day: string, leftUntil: string): Promise<HiddenRow[]> {
  return await db
    .selectFrom("hidden_conversations")
    .selectAll()
    .where((where) => where.or([where("hidden_on", "<=", day), where("left_on", "<=", leftUntil)]))
    .whereRef("member_no", "<", "other_no")
    .execute();
}

export async function deleteHidden(tx: Tx, memberId: number, other: number, keyId: number): Promise<boolean> {
  const row = await tx
    .deleteFrom("hidden_conversations")
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .where("key_id", "=", keyId)
    .returning("key_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findHiddenMessage(db: Db, pair: string, id: string): Promise<HiddenMessageRow | null> {
  const row = await db
    .selectFrom("hidden_messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function hasHiddenFrom(db: Db, pair: string, sender: number): Promise<boolean> {
  const row = await db
    .selectFrom("hidden_messages")
    .select("message_id")
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hiddenMessagesSince(db: Db, pair: string, since: string): Promise<HiddenMessageRow[]> {
  return await db
    .selectFrom("hidden_messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", ">=", since)
    .execute();
}

export async function hiddenMessagesWithImage(
  tx: Tx,
  pair: string,
  keyId: number,
): Promise<HiddenMessageRow[]> {
  return await tx
    .selectFrom("hidden_messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("key_id", "=", keyId)
    .where("encrypted_media", "is not", null)
    .execute();
}

export async function deleteHiddenMessages(tx: Tx, pair: string, keyId: number): Promise<void> {
  await tx.deleteFrom("hidden_messages").where("pair", "=", pair).where("key_id", "=", keyId).execute();
}

/** Scans the tables: for a restore only. */
export async function deleteHiddenWithoutKey(tx: Tx): Promise<void> {
  for (const table of ["hidden_conversations", "hidden_messages"] as const) {
    await tx
      .deleteFrom(table)
      .where("key_id", "not in", (query) => query.selectFrom("data_keys").select("key_id"))
      .execute();
  }
}

export function hiddenKeys(db: Db | Tx) {
  return db.selectFrom("hidden_conversations").select("key_id");
}

export function hiddenMessageKeys(db: Db | Tx) {
  return db.selectFrom("hidden_messages").select("key_id");
}
