export { openReports, resolveReport, type Report } from "./reports.ts";
