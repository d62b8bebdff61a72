export interface ReportsJobs {
  sweep_reports: unknown;
}
