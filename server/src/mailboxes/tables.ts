import type { ColumnType, Generated } from "kysely";

interface EmailChangesTable {
  member_no: number;
  change_no: ColumnType<number, unknown, never>;
  changed_on: string;
  /** The address before, while it is held. */
  encrypted_before: Buffer | null;
  /** The link in its email works until then, rounded up to the hour. */
  stop_until: Date | null;
  is_stopped: Generated<boolean>;
  /** After a stop: the address that the change gave, while it is held. */
  encrypted_after: Buffer | null;
}

interface MailboxRequestsTable {
  member_no: number;
  request_id: string;
  /** `proven`: waits for the link in the email to the new address. */
  state: "proven" | "open" | "stopped" | "rejected" | "done";
  asked_on: string;
  /** Notices to devices and the old address. */
  told: Generated<number>;
  confirm_until: Date | null;
  encrypted_content: Buffer | null;
}

export interface MailboxesTables {
  email_changes: EmailChangesTable;
  mailbox_requests: MailboxRequestsTable;
}
