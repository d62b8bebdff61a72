import type { Language } from "@alcove/i18n";

export interface AccountsDomainEvents {
  /** No other session sees the member before the commit. */
  member_joined: { memberId: number; userId: string; email: string | null; network: string | null };
  member_suspended: { memberId: number };
  member_restored: { memberId: number };
  /** The `members` row still exists and is locked. Runs again if the transaction does. */
  member_deleted: { memberId: number; userId: string; email: string | null };
}

export interface CodeEmailJob {
  emailId: string;
  /** Encrypted, in base64. */
  to: string;
  language: Language;
  /** Rounded down to the minute. */
  requestedAt: string;
  requestNo: number;
  agreedToSensitive: boolean;
  /** Digests in base64. */
  requester: { browser: string; network: string; hadCookie: boolean };
  /** Decided at the request, so that a retry sends the same code. */
  hasLetters: boolean;
  /** The address has got its emails of the day: the job only stores a challenge, as for an unknown address. */
  isSilent: boolean;
}

export interface PasswordChangedEmailJob {
  emailId: string;
  memberId: number;
}

export interface SuspensionEmailJob {
  emailId: string;
  memberId: number;
  isOver: boolean;
}

export interface AccountsJobs {
  sign_up_email: CodeEmailJob;
  reset_password_email: CodeEmailJob;
  password_changed_email: PasswordChangedEmailJob;
  suspension_email: SuspensionEmailJob;
  clear_inviter: { memberId: number };
  sweep_accounts: Record<string, never>;
  sweep_operator_log: Record<string, never>;
}
