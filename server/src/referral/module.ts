import {
  getBrokerageFee,
  getTransfers as getTransfersCall,
  transferBrokerage,
} from "@alcove/contract/referral";
import { route, type App } from "../platform/http/router.ts";
import { balanceOf } from "./balance.ts";
import { exportBrokerage } from "./export.ts";
import { earnFee, takeFeeBack } from "./fees.ts";
import { renameOrder } from "./ledger.sql.ts";
import { hearOfPayout, lookAtTransfer, reconcileTransfers } from "./reconciling.ts";
import { closeTransfers } from "./on-member-deleted.ts";
import { transfer, transfers } from "./transfers.ts";

/** Mounts what members earn by inviting: fees follow from orders, transfers go to PayPal. */
export function registerReferral(app: App): void {
  const { ctx } = app;
  route(app, getBrokerageFee, ({ me }) => balanceOf(ctx.db, me.memberId));
  route(app, getTransfersCall, ({ me }) => transfers(ctx, me));
  route(app, transferBrokerage, ({ me, input }) => transfer(ctx, me, input), { limit: "transfers" });

  ctx.exports.add((tx, me) => exportBrokerage(tx, ctx, me));
  ctx.domainEvents.on("order_paid", (tx, order) => earnFee(tx, ctx, order));
  ctx.domainEvents.on("order_refunded", (tx, order) => takeFeeBack(tx, ctx, order));
  ctx.domainEvents.on("order_archived", (tx, { orderId, archiveId }) => renameOrder(tx, orderId, archiveId));
  ctx.domainEvents.on("paypal_event", (tx, event) => hearOfPayout(tx, ctx, event));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => closeTransfers(tx, ctx, memberId));
  ctx.jobs.handleEvery(
    "*/5 * * * *",
    "reconcile_transfers",
    async () => void (await reconcileTransfers(ctx)),
  );
  ctx.jobs.handle("poll_transfer", ({ transfer: id }) => lookAtTransfer(ctx, id));
}
