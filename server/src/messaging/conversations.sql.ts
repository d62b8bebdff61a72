import { sql, type Selectable } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { Pair } from "./pair.ts";
import type { MessagingTables } from "./tables.ts";

export type InboxRow = Selectable<MessagingTables["inbox"]>;

export async function lockConversation(tx: Tx, pair: string) {
  const query = tx
    .selectFrom("conversations")
    .select(["last_message_id", "key_id"])
    .where("pair", "=", pair)
    .forNoKeyUpdate();
  const [row] = await runPrepared(tx, query.compile());
  return row;
}

export async function readChangeNo(db: Db, pair: string): Promise<number | null> {
  const query = db.selectFrom("conversations").select("change_no").where("pair", "=", pair);
  const [row] = await runPrepared(db, query.compile());
  return row?.change_no ?? null;
}

/** NOTE: the conversation must be locked, so that numbers grow in commit order. */
export async function incrementChangeNo(tx: Tx, pair: string): Promise<number> {
  const { change_no } = await tx
    .updateTable("conversations")
    .set((set) => ({ change_no: set("change_no", "+", 1) }))
    .where("pair", "=", pair)
    .returning("change_no")
    .executeTakeFirstOrThrow();
  return change_no;
}

export async function insertConversation(tx: Tx, pair: string, key_id: number): Promise<boolean> {
  const row = await tx
    .insertInto("conversations")
    .values({ pair, key_id, last_message_id: null })
    .onConflict((conflict) => conflict.column("pair").doNothing())
    .returning("pair")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteConversation(tx: Tx, pair: string): Promise<number | null> {
  const row = await tx
    .deleteFrom("conversations")
    .where("pair", "=", pair)
    .returning("key_id")
    .executeTakeFirst();
  return row?.key_id ?? null;
}

/** Scans the table: for a restore only. */
export async function findPairsWithoutKey(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom("conversations")
    .leftJoin("data_keys", "data_keys.key_id", "conversations.key_id")
    .select("pair")
    .where("data_keys.key_id", "is", null)
    .execute();
  return rows.map(({ pair }) => pair);
}

export async function setLastMessage(tx: Tx, pair: string, id: string): Promise<void> {
  const query = tx.updateTable("conversations").set({ last_message_id: id }).where("pair", "=", pair);
  await runPrepared(tx, query.compile());
}

/** NOTE: the conversation must be locked, so that two transactions cannot deadlock. */
export async function upsertInbox(tx: Tx, sender: number, receiver: number, id: string): Promise<void> {
  const query = tx
    .insertInto("inbox")
    .values([
      { member_no: sender, other_no: receiver, last_message_id: id, last_received_id: null },
      { member_no: receiver, other_no: sender, last_message_id: id, last_received_id: id },
    ])
    .onConflict((conflict) =>
      conflict.columns(["member_no", "other_no"]).doUpdateSet((set) => ({
        last_message_id: set.ref("excluded.last_message_id"),
        last_received_id: set.fn.coalesce("excluded.last_received_id", "inbox.last_received_id"),
      })),
    );
  await runPrepared(tx, query.compile());
}

export async function insertEmptyInbox(tx: Tx, { low, high }: Pair): Promise<void> {
  for (const [member_no, other_no] of [
    [low, high],
    [high, low],
  ] as const) {
    await tx
      .insertInto("inbox")
      .values({ member_no, other_no, last_message_id: null, last_received_id: null })
      .onConflict((conflict) => conflict.columns(["member_no", "other_no"]).doNothing())
      .execute();
  }
}

export async function readInboxRow(db: Db, memberId: number, other: number): Promise<InboxRow | null> {
  const row = await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .executeTakeFirst();
  return row ?? null;
}

export async function readInbox(db: Db, memberId: number): Promise<InboxRow[]> {
  return await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("last_message_id", (order) => order.desc().nullsLast())
    .execute();
}

export async function markRead(db: Db, memberId: number, other: number, id: string): Promise<string | null> {
  const upTo = sql<string>`least(${id}::uuid, last_received_id)`;
  const row = await db
    .updateTable("inbox")
    .set({ read_id: upTo })
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", upTo)]))
    .returning("read_id")
    .executeTakeFirst();
  return row?.read_id ?? null;
}

export async function updateMuted(
  db: Db,
  memberId: number,
  other: number,
  is_muted: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("inbox")
    .set({ is_muted })
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findReadId(db: Db, memberId: number, other: number): Promise<string | null> {
  const query = db
    .selectFrom("inbox")
    .select("read_id")
    .where("member_no", "=", memberId)
    .where("other_no", "=", other);
  const [row] = await runPrepared(db, query.compile());
  return row?.read_id ?? null;
}

export async function updateInbox(
  tx: Tx,
  memberId: number,
  other: number,
  lastIds: Pick<InboxRow, "last_message_id"> & Partial<Pick<InboxRow, "last_received_id">>,
): Promise<void> {
  await tx
    .updateTable("inbox")
    .set(lastIds)
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .execute();
}

export async function deleteInbox(tx: Tx, memberId: number, other: number): Promise<void> {
  await tx.deleteFrom("inbox").where("member_no", "=", memberId).where("other_no", "=", other).execute();
}

export function conversationKeys(db: Db | Tx) {
  return db.selectFrom("conversations").select("key_id");
}
