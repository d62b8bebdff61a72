import type { ColumnType } from "kysely";
import type { Currency } from "@alcove/contract/prices";

export type GrantSource = "operator" | "order" | "coupon";

/**
 * `capturing`: PayPal was asked for the money, and whether it was taken is not known here yet. `unclear`: money was taken
 * that does not fit the order; it is for the operator to look.
 */
export type OrderState =
  | "created"
  | "capturing"
  | "declined"
  | "pending"
  | "completed"
  | "partly_refunded"
  | "refunded"
  | "unclear";

interface MembershipsTable {
  member_no: number;
  paid_until: Date;
}

interface GrantsTable {
  member_no: number;
  /** That of the order, or made of coupon and member. */
  grant_id: string;
  year: number;
  month: number;
  source: GrantSource;
  at: Date;
  /** Grants are added up in this order; 0 in those of before it was kept, which go by their time. */
  place: number;
  /** How many of its months were taken back. */
  taken_months: ColumnType<number, number | undefined, number>;
  coupon_id: string | null;
}

/** What an order is in both places: while its member is one, and afterwards. */
interface OrderFacts {
  year: number;
  month: number;
  currency: Currency;
  /** In whole units of the currency. */
  price: number;
  /** What the plan costs in USD, whatever it was paid in. */
  usd_cents: number;
  state: OrderState;
  paypal_order_id: string;
  capture_id: string | null;
  /** What was given back in the smallest unit of the currency, by PayPal's id of each refund. */
  refunds: ColumnType<Record<string, number>, string, string>;
  /** How much of the price that is, in the smallest unit. */
  refunded: number;
  /** When PayPal is asked again how it stands; null when nothing can come any more. */
  look_at: Date | null;
}

interface OrdersTable extends OrderFacts {
  member_no: number;
  order_id: string;
  /** Counts the requests for the money that PayPal definitely refused; the next one has a new id. */
  request_no: ColumnType<number, number | undefined, number>;
  created_at: Date;
  paid_at: Date | null;
}

/** The books about members who left: nothing in them leads to a member. */
interface ClosedOrdersTable extends OrderFacts {
  book_id: string;
  paid_on: string | null;
}

interface PaypalRefsTable {
  paypal_id: string;
  /** `own`: our own id of the order, which PayPal calls `custom_id`. */
  kind: "order" | "capture" | "own";
  /** Null when the member has left and `order_id` is that of the closed books. */
  member_no: number | null;
  order_id: string;
}

interface WebhookEventsTable {
  event_id: string;
  at: Date;
}

interface CouponsTable {
  coupon_id: string;
  year: number;
  month: number;
  expires_at: Date;
  max_uses: number;
  used: ColumnType<number, number | undefined, number>;
  created_at: Date;
  disabled_at: Date | null;
}

interface CouponUsesTable {
  coupon_id: string;
  member_no: number;
  at: Date;
}

export interface MembershipTables {
  memberships: MembershipsTable;
  grants: GrantsTable;
  orders: OrdersTable;
  closed_orders: ClosedOrdersTable;
  paypal_refs: PaypalRefsTable;
  webhook_events: WebhookEventsTable;
  coupons: CouponsTable;
  coupon_uses: CouponUsesTable;
}
