import type { ParsedOf } from "@alcove/contract";
import type { ReactionName, reactToDm } from "@alcove/contract/messaging";
import { lockMatch, readMatches } from "../discovery/index.ts";
import { findUserId } from "../members/user-ids.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { keyedSemaphore } from "../platform/lib/semaphore.ts";
import { loadPeople } from "../profiles/index.ts";
import { incrementChangeNo, lockConversation } from "./conversations.sql.ts";
import { tryDecryptMessage } from "./message.ts";
import { encryptReactions } from "./message-reactions.ts";
import { messagesByIds, updateReactions } from "./messages.sql.ts";
import { otherMemberOf, pairOf, pairOfKey, type Pair } from "./pair.ts";

type Input = ParsedOf<typeof reactToDm>;

/** @throws message_not_found, after the same statements for an unknown message and for one that the member cannot see */
export async function react(ctx: AppContext, me: CurrentMember, { dmId, reaction }: Input): Promise<void> {
  const id = dmId.toLowerCase(); // the encryption and the frame name it
  const pair = await findPair(ctx, me.memberId, id);
  const isChanged = await ctx.db
    .transaction()
    .execute((tx) => storeReaction(tx, ctx, pair, me.memberId, { id, reaction }));
  if (isChanged) {
    const otherMemberId = otherMemberOf(pair, me.memberId);
    ctx.eventBus.publish("reaction_changed", { memberId: me.memberId, otherMemberId, id });
  }
}

/** Sends the present reaction: events of a pair are read one after the other, so that the last frame is the newest. */
export function pushReactions(ctx: AppContext): void {
  const pairQueue = keyedSemaphore(1);
  ctx.eventBus.subscribe("reaction_changed", async ({ memberId, otherMemberId, id }) => {
    if (!ctx.sockets.has(memberId) && !ctx.sockets.has(otherMemberId)) return;
    const pair = pairOf(memberId, otherMemberId);
    await pairQueue(pair.key, () => pushReaction(ctx, pair, memberId, id));
  });
}

async function pushReaction(ctx: AppContext, pair: Pair, memberId: number, dm_id: string): Promise<void> {
  const [row] = await messagesByIds(ctx.db, [pair.key], [dm_id]);
  const message = row && (await tryDecryptMessage(ctx, pair, row));
  if (!message || message.isUnsent) return;
  const user_id = await findUserId(ctx.db, ctx.encryption, memberId);
  if (user_id === null) return;
  const frame = { reaction: { dm_id, user_id, reaction: message.reactions.get(memberId) ?? null } };
  for (const receiver of [pair.low, pair.high]) ctx.sockets.send(receiver, () => frame);
}

/** Only the caller's matches are searched: a message names its pair, and the request does not. */
async function findPair(ctx: AppContext, memberId: number, id: string): Promise<Pair> {
  const matches = await readMatches(ctx.db, memberId);
  const pairs = matches.map(({ otherMemberId }) => pairOf(memberId, otherMemberId).key);
  const [row] = await messagesByIds(ctx.db, pairs, [id]);
  const pair = row && pairOfKey(row.pair);
  const other = pair ? otherMemberOf(pair, memberId) : memberId;
  const isHidden = (await loadPeople(ctx, [other])).get(other)?.isSuspended !== false;
  if (!pair || isHidden) throw new ApiError("message_not_found");
  return pair;
}

/** Takes the same locks as a new message. Returns false if nothing changes. */
async function storeReaction(
  tx: Tx,
  ctx: AppContext,
  pair: Pair,
  memberId: number,
  { id, reaction }: { id: string; reaction: ReactionName | null },
): Promise<boolean> {
  const isMatched = await lockMatch(tx, memberId, otherMemberOf(pair, memberId));
  const conversation = isMatched && (await lockConversation(tx, pair.key));
  const [row] = await messagesByIds(tx, [pair.key], [id]);
  const message = row && (await tryDecryptMessage(ctx, pair, row));
  if (!conversation || !message || message.isUnsent) throw new ApiError("message_not_found");

  const { reactions } = message;
  if ((reactions.get(memberId) ?? null) === reaction) return false;
  const changed = new Map(reactions);
  if (reaction === null) changed.delete(memberId);
  else changed.set(memberId, reaction);
  await updateReactions(tx, pair.key, id, {
    encrypted_reactions: await encryptReactions(ctx.encryption, conversation.key_id, {
      pair,
      id,
      reactions: changed,
    }),
    reacted_no: await incrementChangeNo(tx, pair.key),
  });
  return true;
}
