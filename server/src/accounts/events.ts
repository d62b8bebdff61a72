import type { Language } from "@alcove/i18n";

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

export interface FixedEmailJob {
  emailId: string;
  email: string;
}

export interface SuspensionEmailJob {
  emailId: string;
  memberId: number;
  isOver: boolean;
}
