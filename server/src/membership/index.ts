export {
  findBankOrder,
  listBankOrders,
  type ListedBankOrder,
  settleBankRefund,
  settleBankTransfer,
} from "./bank-orders.ts";
export { findAnyOrder, listOrders, reconcileOrder } from "./operator-orders.ts";
export type { ArchivedOrderRow } from "./order-archive.sql.ts";
export { type CouponTerms, createCoupon, createCoupons, disableCoupon, listCoupons } from "./coupons.ts";
export type { CouponRow } from "./coupons.sql.ts";
export {
  grantMembership,
  isPaid,
  isRevoked,
  isStoredPaid,
  listGrants,
  paidUntil,
  revokeGift,
} from "./memberships.ts";
export { timeOfOrder } from "./order-id.ts";
export type { OrderRow } from "./orders.sql.ts";
export { decryptPaidAt } from "./present.ts";
export { reconcileOrders } from "./reconcile-orders.ts";
