import type { ReportReason } from "@alcove/contract/safety";

interface ReportsTable {
  reported_no: number;
  report_id: string;
  /** Null once the reporter has left. */
  reporter_no: number | null;
  reason: ReportReason;
  /** What the reporter wrote; gone with the reporter. */
  encrypted_detail: Buffer | null;
  /** The message that was reported: words of the reported member. */
  encrypted_message: Buffer | null;
  at: Date;
  resolved_at: Date | null;
}

/** The same reports by who sent them. */
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
