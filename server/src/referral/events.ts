export interface ReferralJobs {
  reconcile_transfers: unknown;
  /** Reads a transfer's state from PayPal after a webhook about it. */
  poll_transfer: { transfer: string };
}
