/** Of the fees of an order as much is taken back as was given back of the order. */
export type EntryKind = "fee" | "fee_taken_back" | "transfer" | "transfer_returned";

/**
 * `sending`: it is decided, and whether PayPal has it is not known yet. `accepted`: PayPal has it, and it may still come
 * back. `failed` and `returned`: nothing arrived, and the amount is available again.
 */
export type TransferState = "sending" | "accepted" | "paid" | "failed" | "returned";

interface LedgerEntriesTable {
  member_no: number;
  entry_id: string;
  kind: EntryKind;
  /** What it adds to what is available: less than nothing for what is taken back or transferred. */
  usd_cents: number;
  /** For which order; after its buyer has left, its name in the closed books. */
  order_id: string | null;
  /** At which the fee was reckoned. */
  percentage: number | null;
  transfer_id: string | null;
  at: Date;
}

interface TransfersTable {
  member_no: number;
  /** PayPal knows it by this, too. */
  transfer_id: string;
  usd_cents: number;
  state: TransferState;
  /** Where it goes, as long as PayPal may have to be told again. */
  encrypted_email: Buffer | null;
  /** PayPal's own id of it. */
  payout_batch_id: string | null;
  created_at: Date;
  /** When PayPal is asked again how it stands; null when nothing can come any more. */
  next_poll_at: Date | null;
}

/** The books about members who left: nothing in them leads to a member. */
interface ClosedTransfersTable {
  archive_id: string;
  usd_cents: number;
  state: TransferState;
  payout_batch_id: string | null;
  sent_on: string;
  /** PayPal knows it by this, too; kept as long as it is not known whether PayPal has it. */
  transfer_id: string | null;
  /** Where it goes, as long as PayPal is told again, which is until `next_poll_at` is null. */
  encrypted_email: Buffer | null;
  next_poll_at: Date | null;
}

export interface ReferralTables {
  ledger_entries: LedgerEntriesTable;
  transfers: TransfersTable;
  closed_transfers: ClosedTransfersTable;
}
