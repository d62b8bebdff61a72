export { giveBack, listTransfers, reconcileTransfer, reconcileTransfers } from "./reconciling.ts";
export { balanceOf } from "./balance.ts";
export { findPayout, recordPayout, type FoundPayout } from "./import-payout.ts";
export { findById as findTransferById, type TransferRow } from "./transfers.sql.ts";
