export type EntryKind = "fee" | "fee_reversed" | "transfer" | "transfer_returned";

/**
 * `sending`: not yet confirmed by PayPal. `accepted`: may still be returned. After `failed` and `returned` the amount
 * is available again.
 */
export type TransferState = "sending" | "accepted" | "paid" | "failed" | "returned";

interface LedgerEntriesTable {
  member_no: number;
  entry_id: string;
  kind: EntryKind;
  /** Negative for a reversal and a transfer. */
  usd_cents: number;
  /** After the buyer's deletion, the id in the archive. */
  order_id: string | null;
  percentage: number | null;
  transfer_id: string | null;
  at: Date;
  sequence_no: number;
  /**
   * The end of a fee's hold, rounded up to the hour. Other entries count at once, so that no clock difference matters.
   */
  available_at: Date | null;
}

interface PaypalAccountsTable {
  member_no: number;
  account_digest: Buffer;
  /** A digest that all members with the account share, under the member's key. */
  encrypted_mark: Buffer;
}

interface TransfersTable {
  member_no: number;
  transfer_id: string;
  usd_cents: number;
  state: TransferState;
  encrypted_email: Buffer | null;
  payout_batch_id: string | null;
  created_at: Date;
  encrypted_created_at: Buffer;
  sequence_no: number;
  next_poll_at: Date | null;
}

/** Transfers of deleted members; no column leads to a member. */
interface ClosedTransfersTable {
  archive_id: string;
  usd_cents: number;
  state: TransferState;
  payout_batch_id: string | null;
  sent_on: string;
  transfer_id: string | null;
  /** Kept while the transfer may be sent again. */
  encrypted_email: Buffer | null;
  next_poll_at: Date | null;
}

export interface ReferralTables {
  ledger_entries: LedgerEntriesTable;
  paypal_accounts: PaypalAccountsTable;
  transfers: TransfersTable;
  closed_transfers: ClosedTransfersTable;
}
