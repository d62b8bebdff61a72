export { listReportsOf, readOpenReports, readReportPicture, resolveReport, type Report } from "./reports.ts";
