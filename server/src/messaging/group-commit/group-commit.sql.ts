import { sql } from "kysely";
import { runDeferred, runPrepared, type Tx } from "../../platform/db/database.ts";
import { isRolledBack } from "../../platform/db/errors.ts";
import type { Message } from "../message.ts";

type LastMessage = Pick<Message, "pair" | "id" | "senderMemberId" | "clientId">;

export interface Keyed {
  readonly message: Message;
  readonly keyId: number;
}

export interface Advanced {
  readonly keyId: number;
  readonly previousId: string;
}

export async function setLockTimeout(tx: Tx, ms: number): Promise<void> {
  await runDeferred(tx, sql.raw(`set local lock_timeout = '${ms}ms'`).compile(tx));
}

/**
 * Sets the last message of each pair and locks the conversations. Returns the keys and previous messages by
 * pair.
 *
 * Skips a conversation without a message, with a newer one, or with the same `clientId`.
 *
 * NOTE: the locks have no order; the timeout ends a deadlock.
 */
export async function advanceConversations(
  tx: Tx,
  messages: readonly LastMessage[],
): Promise<Map<string, Advanced>> {
  return advancedOf(await runPrepared(tx, advanceQuery(messages).compile(tx)));
}

const PARTIAL_ADVANCE = "not all of these conversations can advance";

/** Runs with the next statement of the transaction, which fails if a conversation cannot advance or has another key. */
export async function advanceAllOrFail(
  tx: Tx,
  keyed: readonly Keyed[],
): Promise<() => Promise<Map<string, Advanced>>> {
  const readAdvanced = await runDeferred(tx, advanceQuery(keyed.map(({ message }) => message)).compile(tx));
  await runDeferred(tx, requireAllAdvancedQuery(keyed).compile(tx));
  return async () => advancedOf(await readAdvanced());
}

/** Apart from the update: Citus updates rows of several keys only in a plain `update`. */
function requireAllAdvancedQuery(keyed: readonly Keyed[]) {
  return sql`
    select case when count(*) = ${keyed.length}::int8 then '1' else ${PARTIAL_ADVANCE}::text end::int4
    from conversations
    where pair = any(${keyed.map(({ message }) => message.pair.key)}::text[])
      and last_message_id = any(${keyed.map(({ message }) => message.id)}::uuid[])
      and key_id = any(${keyed.map(({ keyId }) => keyId)}::int8[])`;
}

export function isPartialAdvance(error: unknown): boolean {
  return isRolledBack(error) && (error as Error).message.includes(PARTIAL_ADVANCE);
}

interface AdvancedRow {
  pair: string;
  key_id: number;
  previous_message_id: string;
}

const advancedOf = (advanced: readonly AdvancedRow[]): Map<string, Advanced> =>
  new Map(advanced.map((row) => [row.pair, { keyId: row.key_id, previousId: row.previous_message_id }]));

export function advanceQuery(messages: readonly LastMessage[]) {
  const pairs = messages.map(({ pair }) => pair.key);
  const at = sql`[array_position(${pairs}::text[], c.pair)]`;
  const id = sql`(${messages.map((message) => message.id)}::uuid[])${at}`;
  const sender = sql`(${messages.map(({ senderMemberId }) => senderMemberId)}::int8[])${at}`;
  const clientId = sql`(${messages.map((message) => message.clientId)}::uuid[])${at}`;
  // `not exists` can become a join that reads all messages. The `case` keeps the lookup to these pairs in any plan.
  return sql<AdvancedRow>`
    update conversations c
    set previous_message_id = last_message_id, last_message_id = ${id}
    where pair = any(${pairs}::text[]) and last_message_id < ${id}
      and case when pair = any(${pairs}::text[]) then (
        select m.message_id from messages m
        where m.pair = c.pair and m.sender_no = ${sender} and m.client_id = ${clientId}
      ) end is null
    returning pair, key_id, previous_message_id`;
}
