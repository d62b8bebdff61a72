export { listReportsOf, readOpenReports, resolveReport, type Report } from "./reports.ts";
