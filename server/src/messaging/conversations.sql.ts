import { sql, type Insertable, type Selectable } from "kysely";
import { columnsOf, type Db, runDeferred, runPrepared, type Tx } from "../platform/db/database.ts";
import { isRolledBack } from "../platform/db/errors.ts";
import type { Pair } from "./pair.ts";
import type { MessagingTables } from "./tables.ts";

export type InboxRow = Selectable<MessagingTables["inbox"]>;

/** Locks a pair's row, if there is one, until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  pair: string,
): Promise<{ last_message_id: string | null } | null> {
  const [row] = await runPrepared(tx, lockConversationQuery(tx, pair));
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

/** Makes a message the last one of its pair, with the transaction's next statement. */
export async function setLastMessage(tx: Tx, pair: string, id: string): Promise<void> {
  const query = tx.updateTable("conversations").set({ last_message_id: id }).where("pair", "=", pair);
  await runDeferred(tx, query.compile());
}

/** A statement of the transaction fails when it has waited so long for a row that somebody else holds. */
export async function waitAtMost(tx: Tx, ms: number): Promise<void> {
  await runDeferred(tx, sql.raw(`set local lock_timeout = '${ms}ms'`).compile(tx));
}

/** A message that is to be the last one of its pair. */
interface Step {
  readonly pair: Pair;
  readonly id: string;
  readonly senderMemberId: number;
  readonly clientId: string | null;
}

/**
 * Makes messages the last ones of their pairs, which are locked by that until the transaction ends; answers by pair which
 * message came before. Left out are pairs without a message, those whose last one is not older, and those where the sender
 * has stored one of the same `clientId`, unless that is committed while this waits.
 *
 * NOTE: the pairs are locked in no order.
 */
export async function moveOn(tx: Tx, steps: readonly Step[]): Promise<Map<string, string>> {
  return beforesOf(await runPrepared(tx, moveOnQuery(steps).compile(tx)));
}

/** What the database says, in its log too, when `moveAllOn` is asked for more than there is. */
const NOT_ALL = "not all of these conversations can be moved on together";

/**
 * Does the same with the transaction's next statement, for all of these messages or for none: if one would be left out,
 * that statement fails, which `isNotAll` tells from other failures. What it answers reads the messages before, once that
 * statement is done.
 */
export async function moveAllOn(tx: Tx, steps: readonly Step[]): Promise<() => Promise<Map<string, string>>> {
  const readMoved = await runDeferred(tx, moveOnQuery(steps).compile(tx));
  await runDeferred(tx, allMovedQuery(steps).compile(tx));
  return async () => beforesOf(await readMoved());
}

/** Two statements, since Citus changes rows of several keys by nothing but an `update` of its own. */
function allMovedQuery(steps: readonly Step[]) {
  return sql`
    select case when count(*) = ${steps.length}::int8 then '1' else ${NOT_ALL}::text end::int4
    from conversations
    where pair = any(${steps.map(({ pair }) => pair.key)}::text[])
      and last_message_id = any(${steps.map(({ id }) => id)}::uuid[])`;
}

/** Whether a transaction was undone because `moveAllOn` could not move all on. */
export function isNotAll(error: unknown): boolean {
  return isRolledBack(error) && (error as Error).message.includes(NOT_ALL);
}

const beforesOf = (moved: readonly { pair: string; previous_message_id: string }[]) =>
  new Map(moved.map((row) => [row.pair, row.previous_message_id]));

export function moveOnQuery(steps: readonly Step[]) {
  const pairs = steps.map(({ pair }) => pair.key);
  const at = sql`[array_position(${pairs}::text[], c.pair)]`;
  const id = sql`(${steps.map((step) => step.id)}::uuid[])${at}`;
  const sender = sql`(${steps.map(({ senderMemberId }) => senderMemberId)}::int8[])${at}`;
  const clientId = sql`(${steps.map((step) => step.clientId)}::uuid[])${at}`;
  // A subselect for its value is looked up row by row; `not exists` may become a join that reads all messages. Within
  // `case` it is looked up for these pairs alone, also by a plan that was made when there was no message.
  return sql<{ pair: string; previous_message_id: string }>`
    update conversations c
    set previous_message_id = last_message_id, last_message_id = ${id}
    where pair = any(${pairs}::text[]) and last_message_id < ${id}
      and case when pair = any(${pairs}::text[]) then (
        select m.message_id from messages m
        where m.pair = c.pair and m.sender_no = ${sender} and m.client_id = ${clientId}
      ) end is null
    returning pair, previous_message_id`;
}

/**
 * Puts new messages on top of both sides' conversations, with the transaction's next statement. Rows in the order of
 * their members: two processes never wait for each other crosswise.
 */
export async function upsertInbox(
  tx: Tx,
  inboxes: readonly Omit<Insertable<MessagingTables["inbox"]>, "read_id">[],
): Promise<void> {
  const all = columnsOf(
    inboxes.toSorted((one, two) => one.member_no - two.member_no || one.other_no - two.other_no),
  );
  const statement = sql`
    insert into inbox (member_no, other_no, last_message_id, last_received_id)
    select * from unnest(${all.member_no}::int8[], ${all.other_no}::int8[], ${all.last_message_id}::uuid[],
      ${all.last_received_id}::uuid[])
    on conflict (member_no, other_no) do update set last_message_id = excluded.last_message_id,
      last_received_id = coalesce(excluded.last_received_id, inbox.last_received_id)`;
  await runDeferred(tx, statement.compile(tx));
}

/** A member's conversations, those with the newest message first, those of nothing but messages taken back last. */
export async function inboxOf(db: Db, memberId: number): Promise<InboxRow[]> {
  return await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("last_message_id", (order) => order.desc().nullsLast())
    .execute();
}

/** Whether a member has not read something that it received: a range read of its inbox. */
export async function hasUnread(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("inbox")
    .select("other_no")
    .where("member_no", "=", memberId)
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

/** A member's row of one conversation. */
export async function readInbox(db: Db, memberId: number, other: number): Promise<InboxRow | null> {
  const row = await db
    .selectFrom("inbox")
    .selectAll()
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .executeTakeFirst();
  return row ?? null;
}

/** Says which messages are the last ones, after one was taken back. */
export async function setLasts(
  tx: Tx,
  memberId: number,
  other: number,
  lasts: Pick<InboxRow, "last_message_id"> & Partial<Pick<InboxRow, "last_received_id">>,
): Promise<void> {
  await tx
    .updateTable("inbox")
    .set(lasts)
    .where("member_no", "=", memberId)
    .where("other_no", "=", other)
    .execute();
}

export async function deleteInbox(tx: Tx, memberId: number, other: number): Promise<void> {
  await tx.deleteFrom("inbox").where("member_no", "=", memberId).where("other_no", "=", other).execute();
}
