import type { Currency } from "@alcove/contract/prices";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";

/** Once per order. Member, inviter and order are locked. `usdCents` is the plan's price, in any currency. */
export interface OrderPaid {
  memberId: number;
  inviter: number | null;
  orderId: string;
  usdCents: number;
  currency: Currency;
  /** In the currency's smallest unit. */
  amount: number;
  /** Of the buyer, with a state if chosen; null if unknown. */
  country: string | null;
  payer: PayPalIdentity;
}

/** Handlers lock the members of `order_refunded`, before the archived order is locked. */
export interface ArchivedOrderSettling {
  archiveId: string;
}

/**
 * `leftUsdCents` of `usdCents` is still paid. After the member's deletion, `orderId` is the `archiveId` of
 * `order_archived`, `memberId` is null, and `archived_order_settling` came before.
 */
export interface OrderRefunded {
  memberId: number | null;
  inviter: number | null;
  orderId: string;
  usdCents: number;
  leftUsdCents: number;
  currency: Currency;
  /** Of this refund, in the currency's smallest unit. */
  amount: number;
}

/** The member is being deleted. `archiveId` leads to no member. */
export interface OrderArchived {
  memberId: number;
  orderId: string;
  archiveId: string;
}

/** Of a webhook without an order, once. Handlers read the state from PayPal. */
export interface PayPalEvent {
  type: string;
  resource: Readonly<Record<string, unknown>>;
}

export interface ReceiptJob {
  emailId: string;
  memberId: number;
  order: string;
}

export interface ExpiryReminderJob {
  emailId: string;
  memberId: number;
  /** Rounded up to the hour. */
  until: string;
}
