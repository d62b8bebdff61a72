import type { ColumnType } from "kysely";
import type { OrderKind, RefundState } from "@alcove/contract/membership";
import type { Currency } from "@alcove/contract/prices";

export type GrantSource = "operator" | "order" | "coupon";

/** `capturing`: the outcome is unknown. `unclear`: the payment does not match the order. */
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
  /** `encrypted_paid_until` rounded up to the hour. */
  paid_until_hour: Date;
  encrypted_paid_until: Buffer;
  remind_at: Date | null;
}

interface GrantsTable {
  member_no: number;
  grant_id: string;
  year: number;
  month: number;
  source: GrantSource;
  at: Date;
  encrypted_at: Buffer;
  place: number;
  revoked_months: ColumnType<number, number | undefined, number>;
  encrypted_ended_at: ColumnType<Buffer | null, Buffer | undefined, Buffer>;
  coupon_id: string | null;
}

interface OrderFacts {
  kind: OrderKind;
  number: string | null;
  reference: string | null;
  year: number;
  month: number;
  currency: Currency;
  /** In whole units of the currency. */
  price: number;
  usd_cents: number;
  state: OrderState;
  paypal_order_id: string | null;
  capture_id: string | null;
  /** Amounts in the smallest unit, by PayPal's refund id. */
  refunds: ColumnType<Record<string, number>, string, string>;
  /** In the smallest unit, with pending refunds of withdrawals. */
  refunded: number;
  /** The refund of a withdrawal, in the smallest unit. */
  withdrawal_amount: ColumnType<number | null, number | null | undefined, number>;
  withdrawal_state: ColumnType<RefundState | null, RefundState | null | undefined, RefundState>;
  /** Counts rejected refunds: it makes the next `PayPal-Request-Id` new. */
  withdrawal_request_no: ColumnType<number, number | undefined, number>;
  next_poll_at: Date | null;
}

interface OrdersTable extends OrderFacts {
  member_no: number;
  order_id: string;
  /** Counts definite declines: it makes the next `PayPal-Request-Id` new. */
  request_no: ColumnType<number, number | undefined, number>;
  encrypted_conditions: Buffer;
  paid_on: string | null;
  encrypted_paid_at: Buffer | null;
  encrypted_withdrawn_at: ColumnType<Buffer | null, Buffer | undefined, Buffer>;
}

/** Orders of deleted members; no column leads to a member. */
interface ClosedOrdersTable extends OrderFacts {
  archive_id: string;
  country: string | null;
  tax: number;
  paid_on: string | null;
}

interface PaypalRefsTable {
  paypal_id: string;
  kind: "order" | "capture" | "custom_id" | "reference";
  /** Null for an archived order, whose `archive_id` is in `order_id`. */
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
  value: string | null;
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
