export { returnUnsent, listTransfers, reconcileTransfer, reconcileTransfers } from "./reconcile-transfers.ts";
export { accountMarks, findSharedAccounts, readAccountMarks } from "./paypal-accounts.ts";
export { getBalance } from "./balance.ts";
export { readFeePercentage, setFeePercentage } from "./percentage.ts";
export { findPayout, importPayout, type FoundPayout } from "./import-payout.ts";
export { findTransferById, type TransferRow } from "./transfers.sql.ts";
