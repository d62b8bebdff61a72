import {
  getBrokerageFee,
  getInvitations,
  getTransfers as getTransfersCall,
  transferBrokerage,
} from "@alcove/contract/referral";
import { countJoined } from "../members/invitations.ts";
import { route, type App } from "../platform/http/router.ts";
import { getBalance } from "./balance.ts";
import { exportBrokerage } from "./export.ts";
import { handlePaidOrder, lockFeeReceiver, reverseFee } from "./fees.ts";
import { replaceOrderId } from "./ledger.sql.ts";
import { archiveKeys, clearEmailsWithoutKey } from "./transfer-archive.sql.ts";
import { schedulePoll, pollTransferById, reconcileDueTransfers } from "./reconcile-transfers.ts";
import { archiveTransfers } from "./on-member-deleted.ts";
import { sendTransferEmail } from "./transfer-email.ts";
import { transferBalance, listOwnTransfers } from "./transfers.ts";

export function registerReferral(app: App): void {
  const { ctx } = app;
  route(app, getBrokerageFee, ({ me }) => getBalance(ctx.db, me.memberId, ctx.clock.now()));
  route(app, getInvitations, async ({ me }) => ({
    joined: await countJoined(ctx.db, ctx.clock, me.memberId),
  }));
  route(app, getTransfersCall, ({ me }) => listOwnTransfers(ctx, me));
  route(app, transferBrokerage, ({ me, input }) => transferBalance(ctx, me, input));

  ctx.personalDataExports.add((tx, me) => exportBrokerage(tx, ctx, me));
  ctx.domainEvents.on("order_paid", (tx, order) => handlePaidOrder(tx, ctx, order));
  ctx.domainEvents.on("archived_order_settling", (tx, { archiveId }) => lockFeeReceiver(tx, archiveId));
  ctx.domainEvents.on("order_refunded", (tx, order) => reverseFee(tx, ctx, order));
  ctx.domainEvents.on("order_archived", (tx, { orderId, archiveId }) =>
    replaceOrderId(tx, orderId, archiveId),
  );
  ctx.domainEvents.on("paypal_event", (tx, event) => schedulePoll(tx, ctx, event));
  ctx.encryption.keys.addUse(archiveKeys);
  ctx.domainEvents.on("database_restored", (tx) => clearEmailsWithoutKey(tx));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => archiveTransfers(tx, ctx, memberId));
  ctx.jobs.handle("reconcile_transfers", () => reconcileDueTransfers(ctx));
  ctx.jobs.handle("poll_transfer", ({ transfer: id }) => pollTransferById(ctx, id));
  ctx.jobs.handle("transfer_email", (job) => sendTransferEmail(ctx, job));
}
