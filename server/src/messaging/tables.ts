import type { Generated } from "kysely";

interface ConversationsTable {
  pair: string;
  last_message_id: string | null;
  /** The one before it, as far as the last one was stored together with others'. */
  previous_message_id: Generated<string | null>;
  /** How many messages were taken back. */
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
  /** The number that `conversations.unsent_no` came to when the message was taken back. */
  unsent_no: Generated<number | null>;
}

interface InboxTable {
  member_no: number;
  other_no: number;
  last_message_id: string | null;
  last_received_id: string | null;
  /** How far the member has read; there is something unread if what was received last is greater. */
  read_id: Generated<string | null>;
}

/** Who does not show how far it has read. */
interface HiddenReadersTable {
  member_no: number;
}

/** To whom a new account has sent a link: digests that are each member's own. */
interface LinksSentTable {
  member_no: number;
  link_digest: Buffer;
  receiver_digest: Buffer;
  sent_at: Date;
}

export interface MessagingTables {
  conversations: ConversationsTable;
  messages: MessagesTable;
  inbox: InboxTable;
  hidden_readers: HiddenReadersTable;
  links_sent: LinksSentTable;
}
