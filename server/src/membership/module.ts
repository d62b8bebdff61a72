import {
  captureOrder as captureOrderCall,
  checkCoupon as checkCouponCall,
  createOrder as createOrderCall,
  getOrder,
  getOrders,
  useCoupon as useCouponCall,
} from "@alcove/contract/membership";
import { DAY_MS } from "../platform/clock.ts";
import { mount, type App } from "../platform/http/router.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { createOrder, makeCaptureOrder } from "./create-order.ts";
import { checkCoupon, forgetCouponUses, useCoupon } from "./coupons.ts";
import { exportMembership } from "./memberships.ts";
import { closeOrders, exportOrders, order, orders } from "./orders.ts";
import { reconcile } from "./reconciling.ts";
import { webhookRoute } from "./webhook-route.ts";
import { deleteEventsBefore } from "./webhook-events.sql.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    reconcile_orders: unknown;
    sweep_webhook_events: unknown;
  }
}

/** PayPal repeats an event for three days. */
const EVENT_LIFE_MS = 30 * DAY_MS;

/** Mounts buying and coupons, takes PayPal's webhooks, and keeps the books when members leave. */
export function membershipRoutes(app: App): void {
  const { deps } = app;
  mount(
    app,
    createOrderCall,
    ({ me, input, lang, origin }) => createOrder(deps, me, input, `${origin}/${lang}/upgrade-account`),
    { limit: "orders" },
  );
  const captureOrder = makeCaptureOrder(deps);
  mount(app, captureOrderCall, async ({ me, input }) => {
    const captured = await captureOrder(me, input.order_id);
    return { ...captured, user: await presentOwnUser(deps, me) };
  });
  mount(app, getOrder, ({ me, input }) => order(deps, me, input.order_id));
  mount(app, getOrders, ({ me }) => orders(deps, me));
  mount(app, checkCouponCall, ({ me, input }) => checkCoupon(deps, me, input.coupon_id), {
    limit: "coupon_checks",
  });
  mount(
    app,
    useCouponCall,
    async ({ me, input }) => {
      await useCoupon(deps, me, input.coupon_id);
      return { user: await presentOwnUser(deps, me) };
    },
    { limit: "coupon_uses" },
  );
  webhookRoute(app);

  deps.exports.add((tx, me) => exportMembership(tx, me));
  deps.exports.add((tx, me) => exportOrders(tx, me));
  deps.consequences.when("member_deleted", async (tx, { no }) => {
    await closeOrders(tx, deps, no);
    await forgetCouponUses(tx, no);
  });
  deps.jobs.handleEvery("*/5 * * * *", "reconcile_orders", async () => {
    await reconcile(deps);
  });
  deps.jobs.handleEvery("23 4 * * *", "sweep_webhook_events", () =>
    deleteEventsBefore(deps.db, new Date(deps.clock.now().getTime() - EVENT_LIFE_MS)),
  );
}
