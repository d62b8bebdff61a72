import type { ReportReason } from "@alcove/contract/safety";

export type ReportOutcome = "resolved" | "dismissed" | "suspended";

interface ReportsTable {
  reported_no: number;
  report_id: string;
  /** Null after the reporter's deletion. */
  reporter_no: number | null;
  key_id: number;
  reason: ReportReason;
  /** Null after the reporter's deletion. */
  encrypted_detail: Buffer | null;
  /** The reported member's text. */
  encrypted_message: Buffer | null;
  /** Rounded down to the day. */
  at: Date;
  resolved_at: Date | null;
  outcome: ReportOutcome | null;
  sequence_no: number;
}

/** Finds the same reports by reporter. */
interface ReportsGivenTable {
  reporter_no: number;
  report_id: string;
  reported_no: number;
}

export interface ReportsTables {
  reports: ReportsTable;
  reports_given: ReportsGivenTable;
}
