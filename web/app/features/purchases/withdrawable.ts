import type { Order } from "@alcove/contract/membership";
import { serverNow } from "../../lib/dates-and-units/server-clock.ts";

/** Whether the member may still withdraw from a purchase. */
export function isWithdrawable({ withdraw_until: until, withdrawn_at: withdrawnAt }: Order): boolean {
  return until !== null && withdrawnAt === null && Date.parse(until) >= serverNow();
}
