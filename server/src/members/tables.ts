interface MembersTable {
  member_no: number;
  encrypted_user_id: Buffer;
  password_hash: string | null;
  account_status: "active" | "suspended";
  /** The operator's reason; null after a restoration. */
  encrypted_suspension_reason: Buffer | null;
  language: string;
  invited_by: number | null;
  brokerage_percentage: number | null;
  encrypted_email: Buffer | null;
  social_digest: Buffer | null;
  /** Rounded down to the day. */
  sensitive_agreed_at: Date | null;
  created_at: Date;
}

interface LoginsTable {
  user_id_digest: Buffer;
  member_no: number;
}

interface EmailIndexTable {
  email_digest: Buffer;
  member_no: number;
}

interface SocialIndexTable {
  subject_digest: Buffer;
  member_no: number;
}

export interface MembersTables {
  members: MembersTable;
  logins: LoginsTable;
  email_index: EmailIndexTable;
  social_index: SocialIndexTable;
}
