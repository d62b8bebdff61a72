export {
  decideReport,
  listOpenReports,
  listReportsOf,
  readOpenReport,
  readOpenReports,
  readReportPicture,
  resolveReport,
  type Report,
} from "./reports.ts";
