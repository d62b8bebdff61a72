import type { WebSocket } from "ws";
import type { Person } from "../profiles/index.ts";
import type { Message } from "./message.ts";

/** The key of data that stays in the publishing process: JSON omits symbols. */
export const LOCAL = Symbol("local");

/** A message was stored, or sent again under the same `clientId`. */
export interface MessageSent {
  /** The two members; `low` has the smaller `member_no`. */
  readonly low: number;
  readonly high: number;
  readonly id: string;
  /** The pair's message before this one; null for the first one, and for a repeated message. */
  readonly previousId: string | null;
  [LOCAL]?: {
    readonly message: Message;
    readonly people: Map<number, Person>;
    /** This socket receives the message as a response. */
    readonly replySocket: WebSocket | null;
  };
}

export interface MessagingDomainEvents {
  /** Messages to these members are being stored; a member appears once for each message. */
  messages_stored: { to: readonly number[] };
}

export interface MessagingBusEvents {
  message_sent: MessageSent;
  message_unsent: {
    memberId: number;
    userId: string;
    otherMemberId: number;
    otherUserId: string;
    id: string;
  };
  /** A member read a conversation up to a message. */
  messages_read: {
    memberId: number;
    userId: string;
    otherMemberId: number;
    otherUserId: string;
    id: string;
    /** Both members show read receipts. */
    isShown: boolean;
  };
  /** A member opened a new match. */
  match_seen: { memberId: number; otherUserId: string };
  /** A member changed whether they show read receipts. */
  read_receipts_changed: { memberId: number; userId: string };
}

export type MessageImages = { ownerMemberId: number; mediaId: string }[];

export interface MessagingJobs {
  /** Deletes the images of deleted messages. */
  delete_message_images: { images: MessageImages };
  delete_old_sent_links: unknown;
}
