import type { Language } from "@alcove/i18n";

export interface AccountsDomainEvents {
  /** A member is being created. No other session sees them before the commit. */
  member_joined: { memberId: number; userId: string; email: string | null };
  /** A member is being suspended: candidates and pages no longer show them. */
  member_suspended: { memberId: number };
  /** A suspension ends. */
  member_restored: { memberId: number };
  /** A member is being deleted. Their `members` row still exists and is locked. Runs again if the transaction does. */
  member_deleted: { memberId: number; userId: string; email: string | null };
}

export interface CodeLetterJob {
  letterId: string;
  /** The encrypted email address in base64. */
  to: string;
  language: Language;
  askedAt: string;
  agreedToSensitive: boolean;
}

export interface PasswordLetterJob {
  letterId: string;
  memberId: number;
}

export interface AccountsJobs {
  sign_up_letter: CodeLetterJob;
  reset_password_letter: CodeLetterJob;
  password_changed_letter: PasswordLetterJob;
  /** Clears the inviter of members whom a deleted member invited. */
  forget_inviter: { memberId: number };
  sweep_accounts: Record<string, never>;
}
