import type { ColumnType, Generated } from "kysely";

interface MembersTable {
  member_no: number;
  encrypted_user_id: Buffer;
  password_hash: string | null;
  /** A login with the password asks for a passkey too. */
  second_factor: Generated<boolean>;
  account_status: "active" | "suspended";
  language: string;
  time_zone: ColumnType<string | null, never, string>;
  invited_by: number | null;
  brokerage_percentage: number | null;
  encrypted_email: Buffer | null;
  social_digest: Buffer | null;
  terms_version: string;
  privacy_version: string;
  encrypted_consents: Buffer;
  version_announced: ColumnType<string | null, never, string>;
  age_checked_on: ColumnType<string | null, never, string>;
  visited_on: string;
  /** Emails since the last visit. */
  unused_warnings: Generated<number>;
  unused_warned_on: ColumnType<string | null, never, string | null>;
  /** By a link in an email: logins need a proof that no mailbox gives, until the member has chosen an address. */
  logins_stopped: ColumnType<boolean, never, boolean>;
  created_at: Date;
}

interface LoginsTable {
  user_id_digest: Buffer;
  member_no: number;
}

interface EmailIndexTable {
  email_digest: Buffer;
  member_no: number;
  /** An address of a recent change. It opens nothing, and nobody else gets it. */
  is_held: Generated<boolean>;
}

interface SocialIndexTable {
  subject_digest: Buffer;
  member_no: number;
}

interface MailboxesTable {
  mailbox_digest: Buffer;
  member_nos: number[];
}

/** Used on the last day of an account. A new one of the mailbox begins with them. */
export interface DayCounters {
  /** In `DAY_TIME_ZONE`. */
  day?: string;
  cards?: number;
  cardsSince?: string;
  likes?: number;
  moves?: number;
  filterChanges?: number;
  coupons?: string[];
}

interface FormerAccountsTable {
  mailbox_digest: Buffer;
  account_id: string;
  deleted_on: string;
  counters: ColumnType<DayCounters, string>;
}

interface FormerUserIdsTable {
  user_id_digest: Buffer;
  deleted_on: string;
}

export interface MembersTables {
  members: MembersTable;
  logins: LoginsTable;
  email_index: EmailIndexTable;
  social_index: SocialIndexTable;
  mailboxes: MailboxesTable;
  former_accounts: FormerAccountsTable;
  former_user_ids: FormerUserIdsTable;
}
