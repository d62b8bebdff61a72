import type { ReportReason } from "@alcove/contract/safety";

/** The operator's decision. */
export type ReportOutcome = "resolved" | "dismissed" | "suspended";

interface ReportsTable {
  reported_no: number;
  report_id: string;
  /** Null after the reporter's deletion. */
  reporter_no: number | null;
  /** The data key of the message. */
  key_id: number;
  reason: ReportReason;
  /** The reporter's text; null after their deletion. */
  encrypted_detail: Buffer | null;
  /** Text of the reported member. */
  encrypted_message: Buffer | null;
  /** Starts of days. */
  at: Date;
  resolved_at: Date | null;
  outcome: ReportOutcome | null;
  sequence_no: number;
}

/** The same reports by reporter. */
interface ReportsGivenTable {
  reporter_no: number;
  report_id: string;
  reported_no: number;
}

export interface ReportsTables {
  reports: ReportsTable;
  reports_given: ReportsGivenTable;
}
