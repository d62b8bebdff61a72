interface HelpMessagesTable {
  member_no: number;
  message_id: string;
  sequence_no: number;
  is_answer: boolean;
  is_open: boolean;
  sent_on: string;
  /** Text and exact time. */
  encrypted_message: Buffer;
}

export interface SupportTables {
  help_messages: HelpMessagesTable;
}
