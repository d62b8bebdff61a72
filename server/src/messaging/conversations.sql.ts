import type { Selectable } from "kysely";
import type { Db, Tables, Tx } from "../platform/database.ts";

export type InboxRow = Selectable<Tables["inbox"]>;

/**
 * Whether `me` is matched with `other`, and stays so until the transaction ends: whoever ends the match waits for us,
 * or we for them. Taken before the pair's row.
 */
export async function holdMatch(tx: Tx, me: number, other: number): Promise<boolean> {
  const row = await tx
    .selectFrom("match_edges")
    .select("at")
    .where("member_no", "=", me)
    .where("other_no", "=", other)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a pair's row, if there is one, until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  pair: string,
): Promise<{ last_message_id: string | null } | null> {
  const row = await tx
    .selectFrom("conversations")
    .select("last_message_id")
    .where("pair", "=", pair)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertConversation(tx: Tx, pair: string): Promise<void> {
  await tx
    .insertInto("conversations")
    .values({ pair, last_message_id: null })
    .onConflict((conflict) => conflict.column("pair").doNothing())
    .execute();
}

export async function setLastMessage(tx: Tx, pair: string, id: string): Promise<void> {
  await tx.updateTable("conversations").set({ last_message_id: id }).where("pair", "=", pair).execute();
}

export async function deleteConversation(tx: Tx, pair: string): Promise<void> {
  await tx.deleteFrom("conversations").where("pair", "=", pair).execute();
}

/** Rows in the order of their members: two processes never wait for each other crosswise. */
export async function upsertInbox(tx: Tx, rows: readonly InboxRow[]): Promise<void> {
  await tx
    .insertInto("inbox")
    .values(rows.toSorted((one, two) => one.member_no - two.member_no))
    .onConflict((conflict) =>
      conflict.columns(["member_no", "other_no"]).doUpdateSet((set) => ({
        last_message_id: set.ref("excluded.last_message_id"),
        unread: set.ref("excluded.unread"),
      })),
    )
    .execute();
}

/** A member's conversations, those with the newest message first: one range read. */
export async function inboxOf(db: Db, no: number): Promise<InboxRow[]> {
  return await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", no)
    .orderBy("last_message_id", "desc")
    .execute();
}

/** Marks a conversation as read, unless something newer than `seen` has arrived. */
export async function markRead(db: Db, no: number, other: number, seen: string): Promise<void> {
  await db
    .updateTable("inbox")
    .set({ unread: false })
    .where("member_no", "=", no)
    .where("other_no", "=", other)
    .where("unread", "=", true)
    .where("last_message_id", "<=", seen)
    .execute();
}

export async function deleteInbox(tx: Tx, no: number, other: number): Promise<void> {
  await tx.deleteFrom("inbox").where("member_no", "=", no).where("other_no", "=", other).execute();
}
