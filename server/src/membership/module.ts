import {
  captureOrder as captureOrderCall,
  checkCoupon as checkCouponCall,
  createBankOrder as createBankOrderCall,
  createOrder as createOrderCall,
  getOrder,
  getOrders,
  getReceipt,
  getRegions,
  previewWithdrawal as previewWithdrawalCall,
  useCoupon as useCouponCall,
  withdraw as withdrawCall,
} from "@alcove/contract/membership";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import { route, type App } from "../platform/http/router.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { createBankOrder, sendBankOrderNotice, sweepBankOrders } from "./bank-orders.ts";
import { createOrder, createCaptureOrder } from "./create-order.ts";
import { checkCoupon, deleteCouponUses, useCoupon } from "./coupons.ts";
import { queueDueReminders, sendExpiryReminder } from "./emails/expiry-reminder.ts";
import type { FindLocalTime } from "./emails/moment.ts";
import { sendReceipt } from "./emails/receipt.ts";
import { exportMembership } from "./memberships.ts";
import { clearDueReminders } from "./memberships.sql.ts";
import { archiveOrders, exportOrders, findLastCountry, findOwnOrder, listOwnOrders } from "./orders.ts";
import { findOwnReceipt } from "./receipts.ts";
import { reconcileDueOrders } from "./reconcile-orders.ts";
import { createWithdraw, previewWithdrawal } from "./withdraw.ts";
import { registerWebhook } from "./webhook-route.ts";
import { deleteEventsBefore } from "./webhook-events.sql.ts";

/** `findLocalTime` is passed in, because an import of notifications would close a cycle. */
export function registerMembership(app: App, findLocalTime: FindLocalTime): void {
  const { ctx } = app;
  route(app, createOrderCall, ({ me, input, lang, origin }) =>
    createOrder(ctx, me, input, `${origin}/${lang}/upgrade-account`),
  );
  const captureOrder = createCaptureOrder(ctx);
  route(app, captureOrderCall, async ({ me, input }) => {
    const captured = await captureOrder(me, input.order_id);
    return { ...captured, user: await presentOwnUser(ctx, me) };
  });
  route(app, getOrder, ({ me, input }) => findOwnOrder(ctx, me, input.order_id));
  route(app, getOrders, ({ me }) => listOwnOrders(ctx, me));
  route(app, getReceipt, ({ me, input, lang }) => findOwnReceipt(ctx, me, input.order_id, lang));
  route(app, getRegions, async ({ me }) => ({
    country: await findLastCountry(ctx, me),
    regions: ctx.config.regions,
    bank_transfers: ctx.config.bankDetails !== null,
  }));
  route(app, createBankOrderCall, ({ me, input }) => createBankOrder(ctx, me, input));
  route(app, previewWithdrawalCall, ({ me, input }) => previewWithdrawal(ctx, me, input.order_id));
  const withdraw = createWithdraw(ctx);
  route(app, withdrawCall, async ({ me, input }) => {
    const withdrawn = await withdraw(me, input.order_id);
    return { ...withdrawn, user: await presentOwnUser(ctx, me) };
  });
  route(app, checkCouponCall, ({ me, input }) => checkCoupon(ctx, me, input.coupon_id));
  route(app, useCouponCall, async ({ me, input }) => {
    await useCoupon(ctx, me, input.coupon_id);
    return { user: await presentOwnUser(ctx, me) };
  });
  registerWebhook(app);

  ctx.personalDataExports.add((tx, me) => exportMembership(tx, ctx, me));
  ctx.personalDataExports.add((tx, me) => exportOrders(tx, ctx, me));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId, counters }) => {
    await archiveOrders(tx, ctx, memberId);
    counters.coupons = await deleteCouponUses(tx, memberId);
  });
  ctx.domainEvents.on("database_restored", (tx) => clearDueReminders(tx, ctx.clock.now()));
  ctx.jobs.handle("receipt_email", (job) => sendReceipt(ctx, job, findLocalTime));
  ctx.jobs.handle("bank_order_notice", (job) => sendBankOrderNotice(ctx, job));
  ctx.jobs.handle("sweep_bank_orders", () => sweepBankOrders(ctx));
  ctx.jobs.handle("expiry_reminder_email", (job) => sendExpiryReminder(ctx, job, findLocalTime));
  ctx.jobs.handle("queue_expiry_reminders", () => queueDueReminders(ctx, findLocalTime));
  ctx.jobs.handle("reconcile_orders", () => reconcileDueOrders(ctx));
  ctx.jobs.handle("sweep_webhook_events", () =>
    deleteEventsBefore(
      ctx.db,
      floorTo(new Date(ctx.clock.now().getTime() - RETENTION.webhookEventDays * DAY_MS), DAY_MS),
    ),
  );
}
