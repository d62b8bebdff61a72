export interface CaseEmailJob {
  emailId: string;
  memberId: number;
}
