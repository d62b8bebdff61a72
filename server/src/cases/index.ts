export { decideAppeal } from "./appeals.ts";
export { type By, decideCase, type Decision } from "./decide.ts";
export { countReports } from "./figures.sql.ts";
export { isGenuineEvidence, writeEvidenceFile } from "./evidence-file.ts";
export { copyNotice, copyPicture, type Evidence, voicePlaces } from "./evidence.ts";
export { reopenCase } from "./cases.sql.ts";
export { addEvidence, newNumber, openCase, ranks } from "./open-case.ts";
export type { CaseFilter } from "./cases.sql.ts";
export {
  type CaseFacts,
  findAccused,
  findCaseNo,
  isSideOf,
  listCases,
  listCasesOf,
  lookAtCase,
  readCasePicture,
  readSuspensionReason,
  type WantedPicture,
  wasReportedLately,
} from "./queue.ts";
export { restoreAccount, suspendAccount } from "./accounts.ts";
