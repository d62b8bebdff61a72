import type { Generated } from "kysely";

interface MembersTable {
  member_no: number;
  user_id: string;
  account_status: "active" | "suspended";
  language: string;
  invited_by: number | null;
  brokerage_percentage: number | null;
  encrypted_email: Buffer | null;
  social_digest: Buffer | null;
  sensitive_agreed_at: Date | null;
  created_at: Date;
}

interface LoginsTable {
  folded_user_id: string;
  member_no: number;
  password_hash: string | null;
}

interface EmailIndexTable {
  email_digest: Buffer;
  member_no: number;
}

interface SocialIndexTable {
  subject_digest: Buffer;
  member_no: number;
}

interface SessionsTable {
  session_id: string;
  member_no: number;
  user_id: string;
  refresh_digest: Buffer;
  device_digest: Buffer | null;
  encrypted_device_name: Buffer | null;
  created_at: Date;
  refreshed_at: Date;
  expires_at: Date;
  ended_at: Date | null;
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
  sensitive_agreed_at: Date | null;
  requested_at: Date;
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
  at: Date;
  action: string;
  /** The user id of the member concerned, anonymised after their deletion. */
  subject: string;
  reason: string | null;
}

export interface AccountsTables {
  members: MembersTable;
  logins: LoginsTable;
  email_index: EmailIndexTable;
  social_index: SocialIndexTable;
  sessions: SessionsTable;
  codes: CodesTable;
  spent_challenges: SpentChallengesTable;
  socket_tickets: SocketTicketsTable;
  operator_log: OperatorLogTable;
}
