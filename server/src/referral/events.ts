export interface TransferEmailJob {
  emailId: string;
  memberId: number;
  transfer: string;
}
