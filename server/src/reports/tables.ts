import type { ReportReason } from "@alcove/contract/safety";

interface ReportsTable {
  reported_no: number;
  report_id: string;
  /** Null after the reporter's deletion. */
  reporter_no: number | null;
  reason: ReportReason;
  /** The reporter's text; null after their deletion. */
  encrypted_detail: Buffer | null;
  /** Text of the reported member. */
  encrypted_message: Buffer | null;
  at: Date;
  resolved_at: Date | null;
}

/** The same reports by reporter. */
interface ReportsGivenTable {
  reporter_no: number;
  report_id: string;
  reported_no: number;
  at: Date;
}

export interface ReportsTables {
  reports: ReportsTable;
  reports_given: ReportsGivenTable;
}
