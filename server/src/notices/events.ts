export interface NoticeEmailJob {
  emailId: string;
  caseNo: number;
  kind: "receipt" | "answer" | "final";
}
