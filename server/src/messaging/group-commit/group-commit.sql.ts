import { sql } from "kysely";
import { runDeferred, runPrepared, type Tx } from "../../platform/db/database.ts";
import { isRolledBack } from "../../platform/db/errors.ts";
import type { Message } from "../message.ts";

type LastMessage = Pick<Message, "pair" | "id" | "senderMemberId" | "clientId">;

export async function setLockTimeout(tx: Tx, ms: number): Promise<void> {
  await runDeferred(tx, sql.raw(`set local lock_timeout = '${ms}ms'`).compile(tx));
}

/**
 * Sets the last message of each pair and locks the conversations. Returns the previous messages by pair.
 *
 * Skips a conversation without a message, with a newer one, or with the same `clientId`.
 *
 * NOTE: the locks have no order; the timeout ends a deadlock.
 */
export async function advanceConversations(
  tx: Tx,
  messages: readonly LastMessage[],
): Promise<Map<string, string>> {
  return previousIdsOf(await runPrepared(tx, advanceQuery(messages).compile(tx)));
}

const PARTIAL_ADVANCE = "not all of these conversations can advance";

/** Runs with the next statement of the transaction, which fails if a conversation cannot advance. */
export async function advanceAllOrFail(
  tx: Tx,
  messages: readonly LastMessage[],
): Promise<() => Promise<Map<string, string>>> {
  const readAdvanced = await runDeferred(tx, advanceQuery(messages).compile(tx));
  await runDeferred(tx, requireAllAdvancedQuery(messages).compile(tx));
  return async () => previousIdsOf(await readAdvanced());
}

/** Apart from the update: Citus updates rows of several keys only in a plain `update`. */
function requireAllAdvancedQuery(messages: readonly LastMessage[]) {
  return sql`
    select case when count(*) = ${messages.length}::int8 then '1' else ${PARTIAL_ADVANCE}::text end::int4
    from conversations
    where pair = any(${messages.map(({ pair }) => pair.key)}::text[])
      and last_message_id = any(${messages.map(({ id }) => id)}::uuid[])`;
}

export function isPartialAdvance(error: unknown): boolean {
  return isRolledBack(error) && (error as Error).message.includes(PARTIAL_ADVANCE);
}

const previousIdsOf = (advanced: readonly { pair: string; previous_message_id: string }[]) =>
  new Map(advanced.map((row) => [row.pair, row.previous_message_id]));

export function advanceQuery(messages: readonly LastMessage[]) {
  const pairs = messages.map(({ pair }) => pair.key);
  const at = sql`[array_position(${pairs}::text[], c.pair)]`;
  const id = sql`(${messages.map((message) => message.id)}::uuid[])${at}`;
  const sender = sql`(${messages.map(({ senderMemberId }) => senderMemberId)}::int8[])${at}`;
  const clientId = sql`(${messages.map((message) => message.clientId)}::uuid[])${at}`;
  // `not exists` can become a join that reads all messages. The `case` keeps the lookup to these pairs in any plan.
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
