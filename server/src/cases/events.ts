import type { NoticeKind } from "./tables.ts";

export interface CaseEmailJob {
  emailId: string;
  memberId: number;
}

export interface WarningJob {
  caseNo: number;
  kind: NoticeKind;
}
