import type { WebSocket } from "ws";
import type { Person } from "../profiles/index.ts";
import type { Message } from "./message.ts";
import type { Quotes } from "./quotes.ts";

/** The key of data for this process only: JSON omits symbols. */
export const LOCAL = Symbol("local");

export interface MessageSent {
  readonly low: number;
  readonly high: number;
  readonly id: string;
  /** The pair's message before; null for a first or repeated message. */
  readonly previousId: string | null;
  [LOCAL]?: {
    readonly message: Message;
    readonly people: Map<number, Person>;
    readonly quotes: Quotes;
    readonly replySocket: WebSocket | null;
  };
}

export interface MessagingDomainEvents {
  messages_stored: { messages: readonly { from: number; to: number }[] };
}

export interface MessagingBusEvents {
  message_sent: MessageSent;
  message_unsent: { memberId: number; otherMemberId: number; id: string };
  messages_read: { memberId: number; otherMemberId: number; id: string; isShown: boolean };
  match_seen: { memberId: number; otherMemberId: number };
  read_receipts_changed: { memberId: number };
  typing: { memberId: number; otherMemberId: number };
}

export type MessageImages = { ownerMemberId: number; mediaId: string }[];

export interface MessagingJobs {
  delete_message_images: { images: MessageImages };
  delete_old_sent_links: unknown;
  destroy_hidden_conversations: unknown;
}
