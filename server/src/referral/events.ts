export interface TransferEmailJob {
  emailId: string;
  memberId: number;
  transfer: string;
}

export interface ReferralJobs {
  reconcile_transfers: unknown;
  /** Runs after a webhook about the transfer. */
  poll_transfer: { transfer: string };
  transfer_email: TransferEmailJob;
}
