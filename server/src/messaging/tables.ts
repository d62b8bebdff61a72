import type { Generated } from "kysely";

interface ConversationsTable {
  pair: string;
  key_id: number;
  last_message_id: string | null;
  /** For the event of the message. Null unless one statement stored the last message. */
  previous_message_id: Generated<string | null>;
  /** Counts unsent messages and reactions. */
  change_no: Generated<number>;
}

interface MessagesTable {
  pair: string;
  message_id: string;
  sender_no: number;
  client_id: string | null;
  encrypted_text: Buffer | null;
  encrypted_media: Buffer | null;
  encrypted_reply: Buffer | null;
  encrypted_reactions: Generated<Buffer | null>;
  /** The count of `conversations` after this message was unsent. */
  unsent_no: Generated<number | null>;
  /** The same after its last reaction, until it is unsent. */
  reacted_no: Generated<number | null>;
}

interface InboxTable {
  member_no: number;
  other_no: number;
  last_message_id: string | null;
  last_received_id: string | null;
  read_id: Generated<string | null>;
  is_muted: Generated<boolean>;
}

/** Hidden by a block, until the key is destroyed. One row for each side. */
interface HiddenConversationsTable {
  member_no: number;
  other_no: number;
  key_id: number;
  hidden_on: string;
  /** One side deleted their account: only their messages remain, and shorter. */
  left_on: string | null;
}

/** Encrypted as in `messages`; only the columns that a report needs. */
interface HiddenMessagesTable {
  pair: string;
  key_id: number;
  message_id: string;
  sender_no: number;
  encrypted_text: Buffer | null;
  encrypted_media: Buffer | null;
}

interface UnsentMessagesTable {
  pair: string;
  message_id: string;
  sender_no: number;
  key_id: number;
  kept_until: Date;
  encrypted_text: Buffer | null;
  encrypted_media: Buffer | null;
}

interface ReadReceiptOptOutsTable {
  member_no: number;
}

interface TypingOptInsTable {
  member_no: number;
}

interface PictureOptOutsTable {
  member_no: number;
}

/** The member wants no pictures from `other_no`. */
interface UnwantedPicturesTable {
  member_no: number;
  other_no: number;
}

/** Rows exist for new accounts only. */
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
  hidden_conversations: HiddenConversationsTable;
  hidden_messages: HiddenMessagesTable;
  unsent_messages: UnsentMessagesTable;
  read_receipt_opt_outs: ReadReceiptOptOutsTable;
  typing_opt_ins: TypingOptInsTable;
  picture_opt_outs: PictureOptOutsTable;
  unwanted_pictures: UnwantedPicturesTable;
  sent_links: SentLinksTable;
}
