import type { Generated } from "kysely";

interface ConversationsTable {
  pair: string;
  last_message_id: string | null;
  /** Only for group commit. */
  previous_message_id: Generated<string | null>;
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
  /** The count of `conversations` after this message was unsent. */
  unsent_no: Generated<number | null>;
}

interface InboxTable {
  member_no: number;
  other_no: number;
  last_message_id: string | null;
  last_received_id: string | null;
  /** Messages are unread while `last_received_id` is greater. */
  read_id: Generated<string | null>;
}

interface ReadReceiptOptOutsTable {
  member_no: number;
}

/** Only of new accounts. */
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
