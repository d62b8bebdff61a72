import { device } from "../../device/browser.ts";
import { parseStored, tabStore } from "../../device/stored.ts";

interface Checkout {
  orderId: string;
  approveUrl: string;
}

/** Redirects to PayPal's page of an order and remembers its URL for another attempt. */
export function redirectToApproval(checkout: Checkout): void {
  tabStore.set("checkout", JSON.stringify(checkout));
  device.openPage(checkout.approveUrl);
}

/** Returns PayPal's page of an order, or null if another tab started it. */
export function approvalUrlOf(orderId: string): string | null {
  const started = parseStored<Checkout>(tabStore.get("checkout"));
  return started?.orderId === orderId ? started.approveUrl : null;
}
