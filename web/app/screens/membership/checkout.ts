import { CHECKOUT_KEY } from "../../lib/session/session.ts";

interface Checkout {
  orderId: string;
  approveUrl: string;
}

/** Leaves for PayPal's page of an order, and notes where that was: who comes back declined may go there again. */
export function redirectToApproval(checkout: Checkout): void {
  sessionStorage.setItem(CHECKOUT_KEY, JSON.stringify(checkout));
  location.assign(checkout.approveUrl);
}

/** Where an order is approved; null when this tab did not begin it. */
export function approvalUrlOf(orderId: string): string | null {
  const { orderId: kept, approveUrl } = JSON.parse(
    sessionStorage.getItem(CHECKOUT_KEY) ?? "{}",
  ) as Partial<Checkout>;
  return kept === orderId && approveUrl ? approveUrl : null;
}
