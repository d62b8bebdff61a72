import type { DmHint } from "./group-commit/event-reorder.ts";

export interface MessagingDomainEvents {
  /** Messages to these members are being stored; a member appears once for each message. */
  messages_stored: { to: readonly number[] };
}

export interface MessagingBusEvents {
  dm: DmHint;
  /** A message was unsent. */
  unsent: { memberId: number; userId: string; friendMemberId: number; friendId: string; id: string };
  /** A member read a conversation up to a message. */
  read: {
    memberId: number;
    userId: string;
    friendMemberId: number;
    friendId: string;
    id: string;
    /** Whether the friend may see it. */
    isShown: boolean;
  };
  /** A member opened a new match. */
  seen: { memberId: number; friendId: string };
  /** A member changed whether they show read receipts. */
  reading_chosen: { memberId: number; userId: string };
}

export interface MessagingJobs {
  /** Deletes the images of deleted messages. */
  forget_message_images: { images: MessageImages };
  sweep_links: unknown;
}

export type MessageImages = { ownerMemberId: number; mediaId: string }[];
