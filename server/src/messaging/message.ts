import type { Insertable } from "kysely";
import type { AppContext } from "../platform/context.ts";
import { nextMessageId } from "./message-id.ts";
import type { MessageRow } from "./messages.sql.ts";
import { otherMemberOf, type Pair } from "./pair.ts";
import type { MessagingTables } from "./tables.ts";

export interface Message {
  readonly pair: Pair;
  readonly id: string;
  readonly senderMemberId: number;
  readonly clientId: string | null;
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly createdAt: Date;
  readonly isUnsent: boolean;
}

/** A message before it is stored. */
export type Draft = Pick<Message, "pair" | "senderMemberId" | "clientId" | "text" | "mediaId">;

/** The new id is greater than `lastId`. */
export function createMessage(draft: Draft, createdAt: Date, lastId: string | null): Message {
  return { ...draft, id: nextMessageId(createdAt, lastId), createdAt, isUnsent: false };
}

export function receiverOf({ pair, senderMemberId }: Draft): number {
  return otherMemberOf(pair, senderMemberId);
}

export function encryptMessage(
  { encryption }: AppContext,
  { pair, id, senderMemberId, clientId, text, mediaId, createdAt }: Message,
): Omit<Insertable<MessagingTables["messages"]>, "unsent_no"> {
  return {
    pair: pair.key,
    message_id: id,
    sender_no: senderMemberId,
    client_id: clientId,
    encrypted_text: text === null ? null : encryption.encrypt(text, textContext(pair, id)),
    encrypted_media: mediaId === null ? null : encryption.encrypt(mediaId, mediaContext(pair, id)),
    created_at: createdAt,
  };
}

export function decryptMessage({ encryption }: AppContext, pair: Pair, row: MessageRow): Message {
  const { encrypted_text, encrypted_media, message_id: id } = row;
  return {
    pair,
    id,
    senderMemberId: row.sender_no,
    clientId: row.client_id,
    text: encrypted_text && encryption.decrypt(encrypted_text, textContext(pair, id)),
    mediaId: encrypted_media && encryption.decrypt(encrypted_media, mediaContext(pair, id)),
    createdAt: row.created_at,
    isUnsent: row.unsent_no !== null,
  };
}

const textContext = (pair: Pair, id: string): string => `messages.encrypted_text:${pair.key}:${id}`;
const mediaContext = (pair: Pair, id: string): string => `messages.encrypted_media:${pair.key}:${id}`;
