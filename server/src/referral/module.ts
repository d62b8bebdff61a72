import {
  getBrokerageFee,
  getTransfers as getTransfersCall,
  transferBrokerage,
} from "@alcove/contract/referral";
import { mount, type App } from "../platform/http/router.ts";
import { balanceOf } from "./balance.ts";
import { exportBrokerage } from "./export.ts";
import { earnFee, takeFeeBack } from "./fees.ts";
import { renameOrder } from "./ledger.sql.ts";
import { hearOfPayout, lookAtTransfer, reconcileTransfers } from "./reconciling.ts";
import { closeTransfers } from "./on-member-deleted.ts";
import { transfer, transfers } from "./transfers.ts";

/** Mounts what members earn by inviting: fees follow from orders, transfers go to PayPal. */
export function referralRoutes(app: App): void {
  const { deps } = app;
  mount(app, getBrokerageFee, ({ me }) => balanceOf(deps.db, me.no));
  mount(app, getTransfersCall, ({ me }) => transfers(deps, me));
  mount(app, transferBrokerage, ({ me, input }) => transfer(deps, me, input), { limit: "transfers" });

  deps.exports.add((tx, me) => exportBrokerage(tx, deps, me));
  deps.consequences.when("order_paid", (tx, order) => earnFee(tx, deps, order));
  deps.consequences.when("order_taken_back", (tx, order) => takeFeeBack(tx, deps, order));
  deps.consequences.when("order_closed", (tx, { orderId, bookId }) => renameOrder(tx, orderId, bookId));
  deps.consequences.when("paypal_event", (tx, event) => hearOfPayout(tx, deps, event));
  deps.consequences.when("member_deleted", (tx, { no }) => closeTransfers(tx, deps, no));
  deps.jobs.handleEvery(
    "*/5 * * * *",
    "reconcile_transfers",
    async () => void (await reconcileTransfers(deps)),
  );
  deps.jobs.handle("look_at_transfer", ({ transfer: id }) => lookAtTransfer(deps, id));
}
