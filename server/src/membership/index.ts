export { grantMembership, isPaid, paidUntil } from "./memberships.ts";
