export {
  decideReports,
  findReportedMember,
  listReportGroups,
  openReports,
  readOpenReports,
  readReportPicture,
  type Report,
  resolveReport,
} from "./queue.ts";
export { listReportsOf } from "./reports.ts";
