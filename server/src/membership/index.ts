export { createCoupon } from "./coupons.ts";
export { grantMembership, isPaid, paidUntil } from "./memberships.ts";
