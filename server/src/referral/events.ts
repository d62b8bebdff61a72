export interface TransferEmailJob {
  emailId: string;
  memberId: number;
  transfer: string;
}

export interface ReferralJobs {
  reconcile_transfers: unknown;
  /** Reads a transfer's state from PayPal after a webhook about it. */
  poll_transfer: { transfer: string };
  /** Sends the member an email about their new transfer. */
  transfer_email: TransferEmailJob;
}
