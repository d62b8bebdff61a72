import type { Dm } from "@alcove/contract/messaging";
import { messageImageAddress } from "../media/index.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import { presentParty, type Person } from "../profiles/index.ts";
import type { MessageRow } from "./messages.sql.ts";
import { otherOf, type Pair } from "./pair.ts";

/** A message as its two parties may read it. */
export interface Message {
  readonly pair: Pair;
  readonly id: string;
  readonly senderMemberId: number;
  readonly clientId: string | null;
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly createdAt: Date;
  /** It was taken back, and is empty. */
  readonly isUnsent: boolean;
}

/** What a message's text is sealed under. */
export function textContext(pair: Pair, id: string): string {
  return `messages.encrypted_text:${pair.key}:${id}`;
}

/** What a message's image id is sealed under. */
export function mediaContext(pair: Pair, id: string): string {
  return `messages.encrypted_media:${pair.key}:${id}`;
}

/** Opens a stored message. */
export function openMessage(ctx: AppContext, pair: Pair, row: MessageRow): Message {
  const { encrypted_text, encrypted_media, message_id: id } = row;
  return {
    pair,
    id,
    senderMemberId: row.sender_no,
    clientId: row.client_id,
    text: encrypted_text && ctx.encryption.decrypt(encrypted_text, textContext(pair, id)),
    mediaId: encrypted_media && ctx.encryption.decrypt(encrypted_media, mediaContext(pair, id)),
    createdAt: row.created_at,
    isUnsent: row.unsent_no !== null,
  };
}

/** A message as one of its parties sees it; null when the other is no more. */
export function presentDm(
  ctx: AppContext,
  viewer: Viewer,
  message: Message,
  people: Map<number, Person>,
): Dm | null {
  const { pair, senderMemberId, mediaId, clientId } = message;
  const receiverMemberId = otherOf(pair, senderMemberId);
  const sender = people.get(senderMemberId);
  const receiver = people.get(receiverMemberId);
  if (!sender || !receiver) return null;
  return {
    id: message.id,
    sender: presentParty(ctx, viewer, sender),
    receiver: presentParty(ctx, viewer, receiver),
    description: message.text,
    file:
      mediaId &&
      messageImageAddress(ctx, viewer, {
        ownerMemberId: senderMemberId,
        mediaId,
        otherMemberId: receiverMemberId,
      }),
    created_at: message.createdAt.toISOString(),
    ...(clientId !== null && viewer.memberId === senderMemberId ? { clientId } : {}),
    ...(message.isUnsent ? { unsent: true as const } : {}),
  };
}
