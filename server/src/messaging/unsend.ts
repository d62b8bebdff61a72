import type { ParsedOf } from "@alcove/contract";
import type { unsendDm } from "@alcove/contract/messaging";
import { lockMatch } from "../discovery/index.ts";
import { deleteMedia, releaseMedia, storeCopy } from "../media/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import * as conversations from "./conversations.sql.ts";
import { decryptMessage, tryDecryptMessage } from "./message.ts";
import * as rows from "./messages.sql.ts";
import { otherMemberOf, pairOf, type Pair } from "./pair.ts";
import { findMatchedMember } from "./find-matched-member.ts";
import { sendMemberFrame } from "./send-member-frame.ts";
import { keepUnsent } from "./unsent-messages.ts";

/** The empty row stays for absent devices, and for a device that sends the message again. */
export async function unsendMessage(
  ctx: AppContext,
  me: CurrentMember,
  { friendId, dmId }: ParsedOf<typeof unsendDm>,
): Promise<void> {
  const other = await findMatchedMember(ctx, me, friendId);
  const pair = pairOf(me.memberId, other.memberId);
  const id = dmId.toLowerCase(); // the frame names it
  const keyId = ctx.encryption.keys.create();
  const mediaId = await copyFile(ctx, pair, { keyId, senderMemberId: me.memberId, id });
  let isChanged = false;
  try {
    isChanged = await ctx.db
      .transaction()
      .execute((tx) => clearOwnMessage(tx, ctx, pair, me.memberId, { id, copy: { keyId, mediaId } }));
  } finally {
    if (!isChanged) {
      ctx.encryption.keys.forget(keyId);
      if (mediaId !== null) await deleteMedia(ctx, me.memberId, mediaId);
    }
  }
  if (isChanged) {
    const { memberId } = me;
    ctx.eventBus.publish("message_unsent", { memberId, otherMemberId: other.memberId, id });
  }
}

async function copyFile(
  ctx: AppContext,
  pair: Pair,
  { keyId, senderMemberId, id }: { keyId: number; senderMemberId: number; id: string },
): Promise<string | null> {
  const [row] = await rows.messagesByIds(ctx.db, [pair.key], [id]);
  const message = row?.sender_no === senderMemberId ? await tryDecryptMessage(ctx, pair, row) : null;
  if (!message?.mediaId) return null;
  const copy = await storeCopy(ctx, senderMemberId, message.mediaId, { keyId, kind: "unsent" });
  return copy?.mediaId ?? null;
}

export function pushUnsentMessages(ctx: AppContext): void {
  ctx.eventBus.subscribe("message_unsent", async ({ memberId, otherMemberId, id }) => {
    await sendMemberFrame(ctx, memberId, otherMemberId, (user_id) => ({ unsent: { user_id, dm_id: id } }));
    await sendMemberFrame(ctx, otherMemberId, memberId, (user_id) => ({ unsent: { user_id, dm_id: id } }));
  });
}

/** Takes the same locks as a new message. Returns false if the message was unsent before. */
async function clearOwnMessage(
  tx: Tx,
  ctx: AppContext,
  pair: Pair,
  senderMemberId: number,
  { id, copy }: { id: string; copy: { keyId: number; mediaId: string | null } },
): Promise<boolean> {
  if (!(await lockMatch(tx, senderMemberId, otherMemberOf(pair, senderMemberId))))
    throw new ApiError("conversation_not_found");
  await conversations.lockConversation(tx, pair.key);
  const [row] = await rows.messagesByIds(tx, [pair.key], [id]);
  if (row?.sender_no !== senderMemberId) throw new ApiError("message_not_found");
  if (row.unsent_no !== null) return false;

  const message = await decryptMessage(ctx, pair, row);
  await keepUnsent(tx, ctx, message, copy);
  await rows.clearMessage(tx, pair.key, id, await conversations.incrementChangeNo(tx, pair.key));
  await updateLastIds(tx, pair, senderMemberId);
  if (message.mediaId !== null) await releaseMedia(tx, ctx, senderMemberId, message.mediaId);
  return true;
}

async function updateLastIds(tx: Tx, pair: Pair, senderMemberId: number): Promise<void> {
  const [newest] = await rows.newestMessages(tx, pair.key, 1);
  const last_message_id = newest?.message_id ?? null;
  const last_received_id = await rows.newestIdOfSender(tx, pair.key, senderMemberId);
  for (const memberId of [pair.low, pair.high]) {
    const lastIds = memberId === senderMemberId ? { last_message_id } : { last_message_id, last_received_id };
    await conversations.updateInbox(tx, memberId, otherMemberOf(pair, memberId), lastIds);
  }
}
