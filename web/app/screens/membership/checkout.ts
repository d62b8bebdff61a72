import { CHECKOUT_KEY } from "../../lib/session/session.ts";

interface Checkout {
  orderId: string;
  approveUrl: string;
}

/** Redirects to PayPal's page of an order and remembers its URL for another attempt. */
export function redirectToApproval(checkout: Checkout): void {
  sessionStorage.setItem(CHECKOUT_KEY, JSON.stringify(checkout));
  location.assign(checkout.approveUrl);
}

/** Returns PayPal's page of an order, or null if another tab started it. */
export function approvalUrlOf(orderId: string): string | null {
  const { orderId: startedId, approveUrl } = JSON.parse(
    sessionStorage.getItem(CHECKOUT_KEY) ?? "{}",
  ) as Partial<Checkout>;
  return startedId === orderId && approveUrl ? approveUrl : null;
}
