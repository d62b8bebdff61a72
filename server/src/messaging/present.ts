import type { Dm } from "@alcove/contract/messaging";
import { messageImageAddress } from "../media/index.ts";
import type { Deps, Viewer } from "../platform/context.ts";
import { presentParty, type Person } from "../profiles/index.ts";
import type { MessageRow } from "./messages.sql.ts";
import { otherOf, type Pair } from "./pair.ts";

/** A message as its two parties may read it. */
export interface Message {
  readonly pair: Pair;
  readonly id: string;
  readonly senderNo: number;
  readonly clientId: string | null;
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly createdAt: Date;
  /** It was taken back, and is empty. */
  readonly isUnsent: boolean;
}

/** What a message's text is sealed under. */
export function textContext(pair: Pair, id: string): string {
  return `messages.sealed_text:${pair.key}:${id}`;
}

/** What a message's image id is sealed under. */
export function mediaContext(pair: Pair, id: string): string {
  return `messages.sealed_media:${pair.key}:${id}`;
}

/** Opens a stored message. */
export function openMessage(deps: Deps, pair: Pair, row: MessageRow): Message {
  const { sealed_text, sealed_media, message_id: id } = row;
  return {
    pair,
    id,
    senderNo: row.sender_no,
    clientId: row.client_id,
    text: sealed_text && deps.sealing.open(sealed_text, textContext(pair, id)),
    mediaId: sealed_media && deps.sealing.open(sealed_media, mediaContext(pair, id)),
    createdAt: row.created_at,
    isUnsent: row.unsent_no !== null,
  };
}

/** A message as one of its parties sees it; null when the other is no more. */
export function presentDm(
  deps: Deps,
  viewer: Viewer,
  message: Message,
  people: Map<number, Person>,
): Dm | null {
  const { pair, senderNo, mediaId, clientId } = message;
  const receiverNo = otherOf(pair, senderNo);
  const sender = people.get(senderNo);
  const receiver = people.get(receiverNo);
  if (!sender || !receiver) return null;
  return {
    id: message.id,
    sender: presentParty(deps, viewer, sender),
    receiver: presentParty(deps, viewer, receiver),
    description: message.text,
    file: mediaId && messageImageAddress(deps, viewer, { ownerNo: senderNo, mediaId, otherNo: receiverNo }),
    created_at: message.createdAt.toISOString(),
    ...(clientId !== null && viewer.no === senderNo ? { clientId } : {}),
    ...(message.isUnsent ? { unsent: true as const } : {}),
  };
}
