export { giveBack, listTransfers, reconcileTransfer, reconcileTransfers } from "./reconciling.ts";
export { findById as findTransferById, type TransferRow } from "./transfers.sql.ts";
