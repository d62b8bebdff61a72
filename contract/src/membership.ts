import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { choice, messageKey, hasBoth, wholeNumber } from "./fields.ts";
import { COUPON_ID, PLAN } from "./limits.ts";
import { type Currency, currencies, priceOf } from "./prices.ts";
import { foldTyped } from "./text-rules.ts";
import { User } from "./users.ts";

/** Lists leave out `created` and `declined` orders, which are unpaid. Refunds include chargebacks. */
export const orderStates = [
  "created",
  "declined",
  "pending",
  "completed",
  "partly_refunded",
  "refunded",
] as const;
export type OrderState = (typeof orderStates)[number];

const Order = z.object({
  id: z.string(),
  year: z.int(),
  month: z.int(),
  /** In whole units of the currency. */
  price: z.int(),
  currency: z.enum(currencies),
  status: z.enum(orderStates),
  payment_successed_at: z.nullable(z.string()),
});
export type Order = z.infer<typeof Order>;

const OrderId = z.uuid({ error: "invalid" });

interface PlanInput {
  readonly currency: Currency;
  readonly price: number;
  readonly year: number;
  readonly month: number;
}

const isFilled = ({ year, month }: PlanInput): boolean => year + month > 0;

export const createOrder = call({
  name: "createOrder",
  summary:
    "Creates an order of years and months at the listed price. The buyer approves it at `approve_url`, which leads back to `/{lang}/upgrade-account?order_id=…` (or `?cancelled=…`). The client then captures it by `order_id`.",
  method: "POST",
  path: "/users/api/upgrade-account/create-order",
  access: "member",
  forPurchases: true,
  costs: write("orders", { per: "hour" }),
  input: z
    .object({
      currency: choice(currencies),
      price: wholeNumber(0, PLAN.maxPrice),
      year: wholeNumber(0, PLAN.maxYears),
      month: wholeNumber(0, PLAN.maxMonths),
    })
    .check(
      z.refine(isFilled, {
        path: ["year"],
        error: messageKey("plan_required"),
        when: hasBoth("year", "month"),
      }),
      z.refine((plan: PlanInput) => plan.price === priceOf(plan.currency, plan), {
        path: ["price"],
        error: messageKey("price_differs"),
        when: ({ issues }) => issues.length === 0,
      }),
    ),
  response: z.object({ order_id: z.string(), paypal_order_id: z.string(), approve_url: z.string() }),
  errors: ["invalid_input", "payments_off", "payments_unavailable", "too_many_requests"],
});

const Money = z.object({ currency_code: z.string(), value: z.string() });

/** PayPal's state, or its reasons why nothing was paid. */
const PaypalOrderData = z.object({
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  purchase_units: z.optional(
    z.array(
      z.object({
        payments: z.object({
          captures: z.array(z.object({ id: z.string(), status: z.string(), amount: Money })),
        }),
      }),
    ),
  ),
  /** For `INSTRUMENT_DECLINED` the buyer chooses another way to pay, and the client captures again. */
  details: z.optional(z.array(z.object({ issue: z.string(), description: z.optional(z.string()) }))),
  debug_id: z.optional(z.string()),
});
export type PaypalOrderData = z.infer<typeof PaypalOrderData>;

export const captureOrder = call({
  name: "captureOrder",
  summary:
    "Captures an approved order and grants the membership, once however often it is called. If PayPal declined or the order is not approved yet, `paypal_order_data` has the `details` and nothing was paid.",
  method: "GET",
  path: "/users/api/upgrade-account/capture-order",
  access: "member",
  forPurchases: true,
  costs: write("captures"),
  input: z.object({ order_id: OrderId }),
  response: z.object({ paypal_order_data: PaypalOrderData, user: User, order: Order }),
  errors: ["invalid_input", "order_not_found", "payments_off", "payments_unavailable", "payment_unclear"],
});

export const getOrder = call({
  name: "getOrder",
  summary: "Returns one of the caller's orders.",
  method: "GET",
  path: "/users/api/order",
  access: "member",
  forPurchases: true,
  costs: READ,
  input: z.object({ order_id: OrderId }),
  response: z.object({ order: Order }),
  errors: ["invalid_input", "order_not_found"],
});

/** Years and months that were not bought here. */
const Grant = z.object({
  source: z.enum(["coupon", "operator"]),
  coupon_id: z.nullable(z.string()),
  year: z.int(),
  month: z.int(),
  at: z.string(),
});
export type Grant = z.infer<typeof Grant>;

export const getOrders = call({
  name: "getOrders",
  summary:
    "Returns the caller's paid and pending orders, and the grants of coupons and the operator, newest first.",
  method: "GET",
  path: "/users/api/orders",
  access: "member",
  forPurchases: true,
  costs: READ,
  input: z.object({}),
  response: z.object({ orders: z.array(Order), grants: z.array(Grant) }),
});

/** A typed coupon id: case, full-width characters and surrounding spaces are ignored. */
export const CouponId = z.string().check(
  z.overwrite((value) => foldTyped(value).toUpperCase()),
  z.minLength(1, messageKey("required")),
  z.maxLength(COUPON_ID.max, messageKey("too_long")),
);

const Coupon = z.object({
  id: z.string(),
  year: z.int(),
  month: z.int(),
  expires_at: z.string(),
  max_uses: z.int(),
  used: z.int(),
});
export type Coupon = z.infer<typeof Coupon>;

export const checkCoupon = call({
  name: "checkCoupon",
  summary: "Returns a coupon if the caller may use it now.",
  method: "GET",
  path: "/users/api/coupon/check",
  access: "member",
  forPurchases: true,
  costs: write("coupon_checks", { max: 20, per: "hour" }),
  input: z.object({ coupon_id: CouponId }),
  response: z.object({ coupon: Coupon }),
  errors: [
    "invalid_input",
    "coupon_not_found",
    "coupon_expired",
    "coupon_used_up",
    "coupon_used",
    "too_many_requests",
  ],
});

export const useCoupon = call({
  name: "useCoupon",
  summary: "Applies a coupon: once per member, up to its number of uses.",
  method: "POST",
  path: "/users/api/coupon/use",
  access: "member",
  forPurchases: true,
  costs: write("coupon_uses", { max: 20, per: "hour" }),
  input: z.object({ coupon_id: CouponId }),
  response: z.object({ user: User }),
  errors: [
    "invalid_input",
    "coupon_not_found",
    "coupon_expired",
    "coupon_used_up",
    "coupon_used",
    "too_many_requests",
  ],
});
