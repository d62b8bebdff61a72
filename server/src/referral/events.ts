export interface TransferEmailJob {
  emailId: string;
  memberId: number;
  transfer: string;
}

export interface ReferralJobs {
  reconcile_transfers: unknown;
  poll_transfer: { transfer: string };
  transfer_email: TransferEmailJob;
}
