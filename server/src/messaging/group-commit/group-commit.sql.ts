import { CompiledQuery, sql } from "kysely";
import { runDeferred, runPipelined, type Tx } from "../../platform/db/database.ts";
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
 * Skips a conversation without a message, with a newer one, or with the same `clientId`. Two transactions lock in the same
 * order, so that they cannot deadlock.
 */
export async function advanceConversations(
  tx: Tx,
  messages: readonly LastMessage[],
): Promise<Map<string, Advanced>> {
  const ordered = inLockOrder(messages);
  return advancedOf(ordered, await runPipelined(tx, ordered.map(advanceQuery)));
}

const PARTIAL_ADVANCE = "not all of these conversations can advance";

/** Runs with the next statement of the transaction, which fails if a conversation cannot advance or has another key. */
export async function advanceAllOrFail(
  tx: Tx,
  keyed: readonly Keyed[],
): Promise<() => Promise<Map<string, Advanced>>> {
  const ordered = inLockOrder(keyed.map(({ message }) => message));
  const readAdvanced = await runDeferred(tx, ...ordered.map(advanceQuery));
  await runDeferred(tx, requireAllAdvancedQuery(keyed));
  return async () => advancedOf(ordered, await readAdvanced());
}

const inLockOrder = (messages: readonly LastMessage[]): LastMessage[] =>
  messages.toSorted((one, two) => one.pair.low - two.pair.low || one.pair.high - two.pair.high);

/** Apart from the updates, whose own failure would not end the transaction. */
const requireAllAdvancedQuery = (keyed: readonly Keyed[]) =>
  CompiledQuery.raw(REQUIRE_ALL_ADVANCED, [
    keyed.length,
    keyed.map(({ message }) => message.pair.key),
    keyed.map(({ message }) => message.id),
    keyed.map(({ keyId }) => keyId),
  ]);

const REQUIRE_ALL_ADVANCED = `
  select case when count(*) = $1::int8 then '1' else '${PARTIAL_ADVANCE}' end::int4
  from conversations
  where pair = any($2::text[]) and last_message_id = any($3::uuid[]) and key_id = any($4::int8[])`;

export function isPartialAdvance(error: unknown): boolean {
  return isRolledBack(error) && (error as Error).message.includes(PARTIAL_ADVANCE);
}

interface AdvancedRow {
  key_id: number;
  previous_message_id: string;
}

function advancedOf(
  messages: readonly LastMessage[],
  results: readonly (readonly AdvancedRow[])[],
): Map<string, Advanced> {
  return new Map(
    results.flatMap(([row], i) =>
      row ? [[messages[i]!.pair.key, { keyId: row.key_id, previousId: row.previous_message_id }]] : [],
    ),
  );
}

const ADVANCE = `
  update conversations set previous_message_id = last_message_id, last_message_id = $2::uuid
  where pair = $1::text and last_message_id < $2::uuid and not exists (
    select from messages where pair = $1::text and sender_no = $3::int8 and client_id = $4::uuid
  )
  returning key_id, previous_message_id`;

/** One statement a pair: Citus finds the shard only by a single key. It is no template, because it runs for each message. */
export const advanceQuery = ({ pair, id, senderMemberId, clientId }: LastMessage) =>
  CompiledQuery.raw(ADVANCE, [pair.key, id, senderMemberId, clientId]) as CompiledQuery<AdvancedRow>;
