import type { Language } from "@alcove/i18n";
import type { Versions } from "../members/legal-versions.ts";

export interface CodeEmailJob {
  emailId: string;
  /** Encrypted, in base64. */
  to: string;
  language: Language;
  requestedAt: string;
  requestNo: number;
  /** Null for a reset. */
  agreed: Versions | null;
  /** Digests in base64. */
  requester: { browser: string; network: string; hadCookie: boolean };
  /** Decided at the request, so that a retry sends the same code. */
  hasLetters: boolean;
  /** Of a change; else null. */
  memberId: number | null;
  /** The address has got its emails of the day: the job only stores a challenge, as for an unknown address. */
  isSilent: boolean;
}

export interface PasswordChangedEmailJob {
  emailId: string;
  memberId: number;
}

export interface NewDeviceEmailJob {
  emailId: string;
  memberId: number;
  session: string;
}

export interface FixedEmailJob {
  emailId: string;
  email: string;
}

export interface NewTermsEmailJob {
  emailId: string;
  memberId: number;
  from: string;
}

export interface UnusedEmailJob {
  emailId: string;
  memberId: number;
  deletedOn: string;
}

export interface AgeCheckEmailJob {
  emailId: string;
  memberId: number;
  isApproved: boolean;
}
