import type { Generated } from "kysely";

interface SessionsTable {
  session_id: string;
  member_no: number;
  refresh_digest: Buffer;
  device_digest: Buffer | null;
  encrypted_device_name: Buffer | null;
  /** The start of the day. */
  created_at: Date;
  /** The end of the hour. */
  refreshed_at: Date;
  /** Orders the last uses of sessions. */
  use_no: number;
  /** The end of the hour. */
  expires_at: Date;
  /** The start of the day. */
  ended_at: Date | null;
  /** The login of the system's browser by a code of the native app. */
  is_for_purchases: Generated<boolean>;
}

interface CodesTable {
  email_digest: Buffer;
  purpose: "sign_up" | "reset_password";
  browser_digest: Buffer;
  network_digest: Buffer;
  /** Whether the browser had the cookie when it requested the code. */
  had_cookie: boolean;
  /** No email was sent. */
  is_silent: Generated<boolean>;
  code_digest: Buffer;
  browser_misses: Generated<number>;
  network_misses: Generated<number>;
  other_misses: Generated<number>;
  is_confirmed: Generated<boolean>;
  /** The start of the day. */
  sensitive_agreed_at: Date | null;
  /** Orders requests, also those whose emails are sent in another order. */
  request_no: number;
  expires_at: Date;
}

interface SpentChallengesTable {
  challenge_digest: Buffer;
  expires_at: Date;
}

interface SocketTicketsTable {
  ticket_digest: Buffer;
  session_id: string;
  expires_at: Date;
}

interface OperatorLogTable {
  entry_id: string;
  /** The start of the hour. */
  at: Date;
  sequence_no: number;
  action: string;
  /** The member concerned; null after their deletion. */
  subject_no: number | null;
  subject_deleted: Generated<boolean>;
  encrypted_reason: Buffer | null;
  /** The account of the console; null for the command line. */
  operator_id: string | null;
}

export interface AccountsTables {
  sessions: SessionsTable;
  codes: CodesTable;
  spent_challenges: SpentChallengesTable;
  socket_tickets: SocketTicketsTable;
  operator_log: OperatorLogTable;
}
