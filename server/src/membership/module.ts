import {
  captureOrder as captureOrderCall,
  checkCoupon as checkCouponCall,
  createOrder as createOrderCall,
  getOrder,
  getOrders,
  useCoupon as useCouponCall,
} from "@alcove/contract/membership";
import { DAY_MS } from "../platform/clock.ts";
import { route, type App } from "../platform/http/router.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { createOrder, makeCaptureOrder } from "./create-order.ts";
import { checkCoupon, forgetCouponUses, useCoupon } from "./coupons.ts";
import { exportMembership } from "./memberships.ts";
import { closeOrders, exportOrders, order, orders } from "./orders.ts";
import { reconcile } from "./reconciling.ts";
import { webhookRoute } from "./webhook-route.ts";
import { deleteEventsBefore } from "./webhook-events.sql.ts";

/** PayPal repeats an event for three days. */
const EVENT_LIFE_MS = 30 * DAY_MS;

/** Mounts buying and coupons, takes PayPal's webhooks, and keeps the books when members leave. */
export function registerMembership(app: App): void {
  const { ctx } = app;
  route(
    app,
    createOrderCall,
    ({ me, input, lang, origin }) => createOrder(ctx, me, input, `${origin}/${lang}/upgrade-account`),
    { limit: "orders" },
  );
  const captureOrder = makeCaptureOrder(ctx);
  route(app, captureOrderCall, async ({ me, input }) => {
    const captured = await captureOrder(me, input.order_id);
    return { ...captured, user: await presentOwnUser(ctx, me) };
  });
  route(app, getOrder, ({ me, input }) => order(ctx, me, input.order_id));
  route(app, getOrders, ({ me }) => orders(ctx, me));
  route(app, checkCouponCall, ({ me, input }) => checkCoupon(ctx, me, input.coupon_id), {
    limit: "coupon_checks",
  });
  route(
    app,
    useCouponCall,
    async ({ me, input }) => {
      await useCoupon(ctx, me, input.coupon_id);
      return { user: await presentOwnUser(ctx, me) };
    },
    { limit: "coupon_uses" },
  );
  webhookRoute(app);

  ctx.exports.add((tx, me) => exportMembership(tx, me));
  ctx.exports.add((tx, me) => exportOrders(tx, me));
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await closeOrders(tx, ctx, memberId);
    await forgetCouponUses(tx, memberId);
  });
  ctx.jobs.handleEvery("*/5 * * * *", "reconcile_orders", async () => {
    await reconcile(ctx);
  });
  ctx.jobs.handleEvery("23 4 * * *", "sweep_webhook_events", () =>
    deleteEventsBefore(ctx.db, new Date(ctx.clock.now().getTime() - EVENT_LIFE_MS)),
  );
}
