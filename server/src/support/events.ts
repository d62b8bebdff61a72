import type { Language } from "@alcove/i18n";

export interface ContactEmailJob {
  emailId: string;
  /** The writer's address and message as encrypted JSON in base64. */
  question: string;
  language: Language;
  requestedAt: string;
}

export interface HelpEmailJob {
  emailId: string;
  memberId: number;
}
