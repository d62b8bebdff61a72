export { decideAppeal } from "./appeals.ts";
export { type By, decideCase, type Decision } from "./decide.ts";
export { countReports } from "./figures.sql.ts";
export { copyPicture } from "./evidence.ts";
export { openCase, ranks } from "./open-case.ts";
export {
  type CaseFacts,
  findAccused,
  findCaseNo,
  listCases,
  listCasesOf,
  lookAtCase,
  readCasePicture,
  readSuspensionReason,
  type WantedPicture,
} from "./queue.ts";
export { restoreAccount, suspendAccount } from "./accounts.ts";
