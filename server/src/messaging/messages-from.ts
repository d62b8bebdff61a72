import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { asMessageRow } from "./hidden/hidden-conversations.ts";
import { newestHiddenOf } from "./hidden/hidden-conversations.sql.ts";
import { tryDecryptMessage } from "./message.ts";
import { lowestIdAt } from "./message-id.ts";
import { newestOfSender } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { findUnsentFrom, listUnsentFrom, type Unsent } from "./unsent-messages.ts";

/**
 * What one member wrote to another within 30 days, oldest first, at most the newest `limit`. Includes hidden
 * conversations, also those of a deleted member, and messages taken back within a day.
 */
export async function readMessagesFrom(
  ctx: AppContext,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<Unsent[]> {
  const pair = pairOf(from, to);
  const since = lowestIdAt(ctx.clock.now().getTime() - RETENTION.leftMessageDays * DAY_MS);
  const wanted = { sender: from, since, limit };
  // In this order, because a block moves messages in one direction only.
  const visible = await newestOfSender(ctx.db, pair.key, wanted);
  const hidden = (await newestHiddenOf(ctx.db, pair.key, wanted)).map(asMessageRow);
  const found = new Map<string, Unsent>();
  for (const row of [...visible, ...hidden]) {
    const message = await tryDecryptMessage(ctx, pair, row);
    if (message) found.set(message.id, message);
  }
  for (const { id } of await listUnsentFrom(ctx, from, pair)) {
    const unsent = await findUnsentFrom(ctx, { memberId: from }, pair, id);
    if (unsent) found.set(id, unsent);
  }
  const ordered = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ordered.slice(-limit).map(([, message]) => message);
}
