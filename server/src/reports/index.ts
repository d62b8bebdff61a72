export { listReportsOf, openReports, resolveReport, type Report } from "./reports.ts";
