import type { Generated } from "kysely";
import type { ReportReason } from "@alcove/contract/safety";

export type ReportOutcome = "resolved" | "dismissed" | "suspended";

/** One open report for each pair and reason. */
interface ReportsTable {
  reported_no: number;
  report_id: string;
  /** Null after the reporter's deletion. */
  reporter_no: number | null;
  reason: ReportReason;
  /** Rounded down to the day. */
  at: Date;
  sequence_no: number;
  was_read: Generated<boolean>;
  /** Of a new member of a crowded network. */
  is_last: boolean;
  resolved_at: Date | null;
  outcome: ReportOutcome | null;
}

interface ReportEntriesTable {
  reported_no: number;
  report_id: string;
  entry_id: string;
  key_id: number;
  /** Null after the reporter's deletion. */
  encrypted_detail: Buffer | null;
  /** The reported member's text. */
  encrypted_message: Buffer | null;
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
  report_entries: ReportEntriesTable;
  reports_given: ReportsGivenTable;
}
