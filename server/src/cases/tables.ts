import type { CaseDecision, CaseKind, CaseRule, RemovableContent } from "@alcove/contract/cases";
import type { ReportReason } from "@alcove/contract/safety";
import type { Generated } from "kysely";

interface CasesTable {
  case_no: number;
  kind: CaseKind;
  /** Stays after the account's deletion. Null for content without a known account. */
  accused_no: number | null;
  key_id: number | null;
  encrypted_accused: Buffer | null;
  similar_to: number | null;
  rank: number;
  sequence_no: number;
  opened_on: string;
  newest_report_at: Date;
  looked_on: Generated<string | null>;
  decided_on: Generated<string | null>;
  due_at: Date | null;
  keep_until: Generated<string | null>;
}

interface CaseEvidenceTable {
  case_no: number;
  evidence_id: string;
  report_no: number | null;
  key_id: number;
  owner_no: number;
  /** The reporter's text under the reporter's key. Null after their deletion. */
  encrypted_detail: Buffer | null;
  encrypted_content: Buffer | null;
  sequence_no: number;
}

export type DecisionState = "waiting" | "announced" | "over" | "reversed";
export type AppealState = "open" | "upheld" | "reversed";

interface CaseDecisionsTable {
  case_no: number;
  decision_no: number;
  decision: CaseDecision;
  rule: CaseRule;
  content: RemovableContent | null;
  days: number | null;
  encrypted_reason: Buffer;
  encrypted_removed: Generated<Buffer | null>;
  operator_id: string | null;
  effective_at: Date;
  postponed_until: Date;
  ends_at: Date | null;
  state: DecisionState;
  encrypted_appeal: Generated<Buffer | null>;
  appealed_on: Generated<string | null>;
  appeal_state: Generated<AppealState | null>;
  appeal_operator_id: Generated<string | null>;
  encrypted_appeal_reason: Generated<Buffer | null>;
}

interface ReportsTable {
  case_no: number;
  report_no: number;
  reporter_no: number | null;
  reason: ReportReason;
  at: Date;
  sequence_no: number;
  is_press: Generated<boolean>;
  encrypted_contest: Generated<Buffer | null>;
}

interface ReportsGivenTable {
  reporter_no: number;
  report_no: number;
  case_no: number;
}

/** Wrote to the accused in the days before. */
interface CaseContactsTable {
  case_no: number;
  member_no: number;
}

export type NoticeKind = "fraud" | "correction";

interface MemberNoticesTable {
  member_no: number;
  notice_id: string;
  case_no: number;
  kind: NoticeKind;
  encrypted_name: Buffer;
  created_on: string;
  sequence_no: number;
  is_new: Generated<boolean>;
}

/** Deleted members who can still be reported, for a week. */
interface LeftAccountsTable {
  user_id_digest: Buffer;
  member_no: number;
  key_id: number;
  encrypted_account: Buffer;
  left_on: string;
}

interface SuspendedPicturesTable {
  member_no: number;
  media_id: string;
  hash: string;
  suspended_on: string;
}

interface SuspendedMailboxesTable {
  mailbox_digest: Buffer;
  member_no: number;
  suspended_on: string;
}

interface SuspendedPaypalTable {
  account_digest: Buffer;
  member_no: number;
  suspended_on: string;
}

export interface CasesTables {
  cases: CasesTable;
  case_evidence: CaseEvidenceTable;
  case_decisions: CaseDecisionsTable;
  reports: ReportsTable;
  reports_given: ReportsGivenTable;
  case_contacts: CaseContactsTable;
  member_notices: MemberNoticesTable;
  left_accounts: LeftAccountsTable;
  suspended_pictures: SuspendedPicturesTable;
  suspended_mailboxes: SuspendedMailboxesTable;
  suspended_paypal: SuspendedPaypalTable;
}
