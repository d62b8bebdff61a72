import type { Insertable } from "kysely";
import type { AppContext } from "../platform/context.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { nextMessageId, timeOfId } from "./message-id.ts";
import { decryptReactions, NO_REACTIONS, type Reactions } from "./message-reactions.ts";
import type { MessageRow } from "./messages.sql.ts";
import { otherMemberOf, type Pair } from "./pair.ts";
import type { MessagingTables } from "./tables.ts";

interface Voice {
  readonly seconds: number;
  readonly peaks: readonly number[];
  readonly text: string | null;
}

export interface Message {
  readonly pair: Pair;
  readonly id: string;
  readonly senderMemberId: number;
  readonly clientId: string | null;
  readonly text: string | null;
  /** The file of an image or of a voice note. */
  readonly mediaId: string | null;
  readonly voice: Voice | null;
  /** Of a message or a note, which may be gone by now. */
  readonly replyId: string | null;
  readonly reactions: Reactions;
  readonly createdAt: Date;
  readonly isUnsent: boolean;
}

export type Attachment = Pick<Message, "mediaId" | "voice">;

export type Draft = Pick<Message, "pair" | "senderMemberId" | "clientId" | "text" | "replyId"> &
  Attachment & {
    readonly keyId: number | null;
    /** The sender is limited, so that nothing announces the message. */
    readonly isQuiet?: boolean;
  };

export interface Stored {
  readonly message: Message;
  readonly keyId: number;
  /** False for a repeated `clientId`. */
  readonly isNew: boolean;
  readonly previousId: string | null;
}

/** The new id is greater than `lastId`. */
export function createMessage(draft: Draft, now: Date, lastId: string | null): Message {
  const { keyId: _, isQuiet: __, ...content } = draft;
  const id = nextMessageId(now, lastId);
  return { ...content, id, reactions: NO_REACTIONS, createdAt: new Date(timeOfId(id)), isUnsent: false };
}

export function receiverOf({ pair, senderMemberId }: Pick<Message, "pair" | "senderMemberId">): number {
  return otherMemberOf(pair, senderMemberId);
}

export async function encryptMessage(
  { encryption }: AppContext,
  keyId: number,
  { pair, id, senderMemberId, clientId, text, mediaId, voice, replyId }: Message,
): Promise<Omit<Insertable<MessagingTables["messages"]>, "unsent_no">> {
  const encrypt = async (value: string | null, context: string) =>
    value === null ? null : encryption.encrypt(keyId, value, context);
  return {
    pair: pair.key,
    message_id: id,
    sender_no: senderMemberId,
    client_id: clientId,
    encrypted_text: await encrypt(text, textContext(pair, id)),
    encrypted_media: await encrypt(packAttachment({ mediaId, voice }), mediaContext(pair, id)),
    encrypted_reply: await encrypt(replyId, replyContext(pair, id)),
  };
}

export async function decryptMessage(
  { encryption }: AppContext,
  pair: Pair,
  row: MessageRow,
): Promise<Message> {
  const { encrypted_text, encrypted_media, encrypted_reply, encrypted_reactions, message_id: id } = row;
  return {
    pair,
    id,
    senderMemberId: row.sender_no,
    clientId: row.client_id,
    text: encrypted_text && (await encryption.decrypt(encrypted_text, textContext(pair, id))),
    ...unpackAttachment(
      encrypted_media && (await encryption.decrypt(encrypted_media, mediaContext(pair, id))),
    ),
    replyId: encrypted_reply && (await encryption.decrypt(encrypted_reply, replyContext(pair, id))),
    reactions: encrypted_reactions
      ? await decryptReactions(encryption, { pair, id, encrypted: encrypted_reactions })
      : NO_REACTIONS,
    createdAt: new Date(timeOfId(id)),
    isUnsent: row.unsent_no !== null,
  };
}

/** Returns null if the conversation was deleted since the row was read. */
export async function tryDecryptMessage(
  ctx: AppContext,
  pair: Pair,
  row: MessageRow,
): Promise<Message | null> {
  try {
    return await decryptMessage(ctx, pair, row);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

export function packAttachment({ mediaId, voice }: Attachment): string | null {
  return mediaId === null ? null : JSON.stringify({ mediaId, voice });
}

export function unpackAttachment(packed: string | null): Attachment {
  return packed === null ? { mediaId: null, voice: null } : (JSON.parse(packed) as Attachment);
}

export function wordsOf({ text, voice }: Pick<Message, "text" | "voice">): string | null {
  const words = [text, voice?.text].filter((each) => each != null);
  return words.length === 0 ? null : words.join("\n");
}

const textContext = (pair: Pair, id: string): string => `messages.encrypted_text:${pair.key}:${id}`;
const mediaContext = (pair: Pair, id: string): string => `messages.encrypted_media:${pair.key}:${id}`;
const replyContext = (pair: Pair, id: string): string => `messages.encrypted_reply:${pair.key}:${id}`;
