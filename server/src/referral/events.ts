export interface ReferralJobs {
  reconcile_transfers: unknown;
  /** Reads a transfer's state from PayPal after a webhook about it. */
  look_at_transfer: { transfer: string };
}
