import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { readInbox, readInboxRow } from "./conversations.sql.ts";
import { asMessageRow } from "./hidden/hidden-conversations.ts";
import { hasHiddenFrom, hiddenMessagesSince } from "./hidden/hidden-conversations.sql.ts";
import { tryDecryptMessage, type Message } from "./message.ts";
import { lowestIdAt } from "./message-id.ts";
import { messagesSince } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { decryptUnsentMessage } from "./unsent-messages.ts";
import { unsentSince } from "./unsent-messages.sql.ts";

type KeptMessage = Pick<Message, "id" | "senderMemberId" | "text" | "mediaId" | "voice" | "createdAt">;

export async function readWriters({ db }: AppContext, memberId: number): Promise<number[]> {
  return (await readInbox(db, memberId)).flatMap(({ other_no, last_received_id }) =>
    last_received_id === null ? [] : other_no,
  );
}

/** Whether `from` wrote to `to` in a chat that is open, hidden or ended by a deletion. */
export async function hasWritten({ db, clock }: AppContext, from: number, to: number): Promise<boolean> {
  const pair = pairOf(from, to).key;
  const inbox = await readInboxRow(db, to, from);
  const hasHidden = await hasHiddenFrom(db, pair, from);
  const unsent = await unsentSince(db, pair, { since: lowestIdAt(0), now: clock.now() });
  return inbox?.last_received_id != null || hasHidden || unsent.some(({ sender_no }) => sender_no === from);
}

/** Also hidden and unsent ones. `ids` has those too that cannot be decrypted. */
export async function readKeptMessages(
  ctx: AppContext,
  one: number,
  other: number,
): Promise<{ ids: ReadonlySet<string>; messages: KeptMessage[] }> {
  const pair = pairOf(one, other);
  const { visible, hidden, unsent } = await readRows(ctx.db, ctx, pair.key);
  const decrypted = await Promise.all([
    ...[...visible, ...hidden.map(asMessageRow)].map((row) => tryDecryptMessage(ctx, pair, row)),
    ...unsent.map((row) => decryptUnsentMessage(ctx, row)),
  ]);
  const byId = new Map(decrypted.flatMap((message) => (message ? [[message.id, message] as const] : [])));
  const ids = new Set([...visible, ...hidden, ...unsent].map(({ message_id }) => message_id));
  return { ids, messages: [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

export async function readKeptIds(tx: Tx, ctx: AppContext, one: number, other: number): Promise<string[]> {
  const { visible, hidden, unsent } = await readRows(tx, ctx, pairOf(one, other).key);
  return [...visible, ...hidden, ...unsent].map(({ message_id }) => message_id);
}

async function readRows(db: Db, { clock }: AppContext, pair: string) {
  const now = clock.now();
  const since = lowestIdAt(now.getTime() - RETENTION.leftMessageDays * DAY_MS);
  // In this order, because a block and an unsending move messages in one direction only.
  const visible = await messagesSince(db, pair, since);
  const hidden = await hiddenMessagesSince(db, pair, since);
  return { visible, hidden, unsent: await unsentSince(db, pair, { since, now }) };
}
