import { sql, type Insertable, type Selectable } from "kysely";
import { type Db, runLater, runPlanned, type Tables, type Tx } from "../platform/database.ts";

export type InboxRow = Selectable<Tables["inbox"]>;

/**
 * Whether `me` is matched with `other`, and stays so until the transaction ends: whoever ends the match waits for us,
 * or we for them. Taken before the pair's row.
 */
export async function holdMatch(tx: Tx, me: number, other: number): Promise<boolean> {
  return (await runPlanned(tx, holdMatchQuery(tx, me, other))).length > 0;
}

export function holdMatchQuery(tx: Tx, me: number, other: number) {
  return tx
    .selectFrom("match_edges")
    .select("at")
    .where("member_no", "=", me)
    .where("other_no", "=", other)
    .forKeyShare()
    .compile();
}

/** Locks a pair's row, if there is one, until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  pair: string,
): Promise<{ last_message_id: string | null } | null> {
  const [row] = await runPlanned(tx, lockConversationQuery(tx, pair));
  return row ?? null;
}

export function lockConversationQuery(tx: Tx, pair: string) {
  return tx
    .selectFrom("conversations")
    .select("last_message_id")
    .where("pair", "=", pair)
    .forNoKeyUpdate()
    .compile();
}

/** How many messages of a pair were taken back. */
export async function countUnsent(db: Db, pair: string): Promise<number> {
  const row = await db
    .selectFrom("conversations")
    .select("unsent_no")
    .where("pair", "=", pair)
    .executeTakeFirst();
  return row?.unsent_no ?? 0;
}

/** Counts one more message that was taken back; answers its number. */
export async function countOneUnsent(tx: Tx, pair: string): Promise<number> {
  const { unsent_no } = await tx
    .updateTable("conversations")
    .set((set) => ({ unsent_no: set("unsent_no", "+", 1) }))
    .where("pair", "=", pair)
    .returning("unsent_no")
    .executeTakeFirstOrThrow();
  return unsent_no;
}

export async function insertConversation(tx: Tx, pair: string): Promise<void> {
  await tx
    .insertInto("conversations")
    .values({ pair, last_message_id: null })
    .onConflict((conflict) => conflict.column("pair").doNothing())
    .execute();
}

export async function deleteConversation(tx: Tx, pair: string): Promise<void> {
  await tx.deleteFrom("conversations").where("pair", "=", pair).execute();
}

/**
 * Puts a new message on top of both sides' conversations. Rows in the order of their members: two processes never wait
 * for each other crosswise.
 */
export async function upsertInbox(tx: Tx, rows: readonly Insertable<Tables["inbox"]>[]): Promise<void> {
  const query = tx
    .insertInto("inbox")
    .values(rows.toSorted((one, two) => one.member_no - two.member_no))
    .onConflict((conflict) =>
      conflict.columns(["member_no", "other_no"]).doUpdateSet((set) => ({
        last_message_id: set.ref("excluded.last_message_id"),
        last_received_id: set.fn.coalesce("excluded.last_received_id", "inbox.last_received_id"),
      })),
    );
  await runLater(tx, query.compile());
}

/** A member's conversations, those with the newest message first, those of nothing but messages taken back last. */
export async function inboxOf(db: Db, no: number): Promise<InboxRow[]> {
  return await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", no)
    .orderBy("last_message_id", (order) => order.desc().nullsLast())
    .execute();
}

/** Whether a member has not read something that it received: a range read of its inbox. */
export async function hasUnread(db: Db, no: number): Promise<boolean> {
  const row = await db
    .selectFrom("inbox")
    .select("other_no")
    .where("member_no", "=", no)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", is.ref("last_received_id"))]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Marks what `no` has received of `other` as read up to `id`; answers how far that is, null when it was read before.
 *
 * One statement that looks at nothing but its row: it is right whatever is stored at the same moment.
 */
export async function markRead(db: Db, no: number, other: number, id: string): Promise<string | null> {
  const upTo = sql<string>`least(${id}::uuid, last_received_id)`;
  const row = await db
    .updateTable("inbox")
    .set({ read_id: upTo })
    .where("member_no", "=", no)
    .where("other_no", "=", other)
    .where("last_received_id", "is not", null)
    .where((is) => is.or([is("read_id", "is", null), is("read_id", "<", upTo)]))
    .returning("read_id")
    .executeTakeFirst();
  return row?.read_id ?? null;
}

/** A member's row of one conversation. */
export async function readInbox(db: Db, no: number, other: number): Promise<InboxRow | null> {
  const row = await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", no)
    .where("other_no", "=", other)
    .executeTakeFirst();
  return row ?? null;
}

/** Says which messages are the last ones, after one was taken back. */
export async function setLasts(
  tx: Tx,
  no: number,
  other: number,
  lasts: Pick<InboxRow, "last_message_id"> & Partial<Pick<InboxRow, "last_received_id">>,
): Promise<void> {
  await tx
    .updateTable("inbox")
    .set(lasts)
    .where("member_no", "=", no)
    .where("other_no", "=", other)
    .execute();
}

export async function deleteInbox(tx: Tx, no: number, other: number): Promise<void> {
  await tx.deleteFrom("inbox").where("member_no", "=", no).where("other_no", "=", other).execute();
}
