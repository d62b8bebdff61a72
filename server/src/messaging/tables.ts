import type { Generated } from "kysely";

interface ConversationsTable {
  pair: string;
  last_message_id: string | null;
  /** The message before the last one. Only group commit sets it. */
  previous_message_id: Generated<string | null>;
  /** The number of unsent messages. */
  unsent_no: Generated<number>;
}

interface MessagesTable {
  pair: string;
  message_id: string;
  sender_no: number;
  client_id: string | null;
  encrypted_text: Buffer | null;
  encrypted_media: Buffer | null;
  created_at: Date;
  /** The value of `conversations.unsent_no` after this message was unsent. */
  unsent_no: Generated<number | null>;
}

interface InboxTable {
  member_no: number;
  other_no: number;
  last_message_id: string | null;
  last_received_id: string | null;
  /** The member has read up to here. Messages are unread while `last_received_id` is greater. */
  read_id: Generated<string | null>;
}

/** Members who neither show nor see read receipts. */
interface ReadReceiptOptOutsTable {
  member_no: number;
}

/** Links that new accounts sent. The digests are keyed by member. */
interface SentLinksTable {
  member_no: number;
  link_digest: Buffer;
  receiver_digest: Buffer;
  sent_at: Date;
}

export interface MessagingTables {
  conversations: ConversationsTable;
  messages: MessagesTable;
  inbox: InboxTable;
  read_receipt_opt_outs: ReadReceiptOptOutsTable;
  sent_links: SentLinksTable;
}
