export { findAnyOrder, listOrders, reconcileOrder } from "./operator-orders.ts";
export type { ArchivedOrderRow } from "./order-archive.sql.ts";
export { createCoupon, disableCoupon, listCoupons } from "./coupons.ts";
export type { CouponRow } from "./coupons.sql.ts";
export { readGrants as listGrants } from "./memberships.sql.ts";
export { grantMembership, isPaid, paidUntil } from "./memberships.ts";
export type { OrderRow } from "./orders.sql.ts";
export { reconcileOrders } from "./reconcile-orders.ts";
