import * as z from "zod/mini";
import { call } from "./call.ts";
import { choice, type FieldMessage, hasBoth, wholeNumber } from "./fields.ts";
import { COUPON_ID, PLAN } from "./limits.ts";
import { type Currency, currencies, priceOf } from "./prices.ts";
import { User } from "./users.ts";

const say = (message: FieldMessage): string => message;

/**
 * How an order stands. Members see `created` and `declined` of an order that they ask for by its id only: nothing was
 * paid for those. `pending` is on its way; a refund or a chargeback takes all of the order back, or a part.
 */
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
  /** When the payment went through; null as long as it has not. */
  payment_successed_at: z.nullable(z.string()),
});
export type Order = z.infer<typeof Order>;

const OrderId = z.uuid({ error: "invalid" });

interface Wish {
  readonly currency: Currency;
  readonly price: number;
  readonly year: number;
  readonly month: number;
}

const isFilled = ({ year, month }: Wish): boolean => year + month > 0;

export const createOrder = call({
  name: "createOrder",
  summary:
    "Begins to buy years and months at the price of the table. The buyer approves the order at `approve_url`, which leads back to `/{lang}/upgrade-account?order_id=…` (or `?cancelled=…`); then it is captured by `order_id`.",
  method: "POST",
  path: "/users/api/upgrade-account/create-order",
  access: "member",
  input: z
    .object({
      currency: choice(currencies),
      price: wholeNumber(0, PLAN.maxPrice),
      year: wholeNumber(0, PLAN.maxYears),
      month: wholeNumber(0, PLAN.maxMonths),
    })
    .check(
      z.refine(isFilled, { path: ["year"], error: say("plan_required"), when: hasBoth("year", "month") }),
      z.refine((wish: Wish) => wish.price === priceOf(wish.currency, wish), {
        path: ["price"],
        error: say("price_differs"),
        when: ({ issues }) => issues.length === 0, // only a plan that is right has a price
      }),
    ),
  response: z.object({ order_id: z.string(), paypal_order_id: z.string(), approve_url: z.string() }),
  errors: ["invalid_input", "payments_off", "payments_unavailable", "too_many_requests"],
});

/** A sum as PayPal writes it. */
const Money = z.object({ currency_code: z.string(), value: z.string() });

/** What PayPal says of an order: how it stands, or why nothing was paid. */
const PaypalOrderData = z.object({
  id: z.optional(z.string()),
  /** `COMPLETED` when all is well. */
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
  /** Such as `INSTRUMENT_DECLINED`: choose another way to pay and capture again. */
  details: z.optional(z.array(z.object({ issue: z.string(), description: z.optional(z.string()) }))),
  debug_id: z.optional(z.string()),
});
export type PaypalOrderData = z.infer<typeof PaypalOrderData>;

export const captureOrder = call({
  name: "captureOrder",
  summary:
    "Takes the money of an approved order and gives the membership, once however often it is asked. Where PayPal declined, or the order is not approved yet, `paypal_order_data` has its `details` and nothing was paid.",
  method: "GET",
  path: "/users/api/upgrade-account/capture-order",
  access: "member",
  input: z.object({ order_id: OrderId }),
  response: z.object({ paypal_order_data: PaypalOrderData, user: User, order: Order }),
  errors: ["invalid_input", "order_not_found", "payments_off", "payments_unavailable", "payment_unclear"],
});

export const getOrder = call({
  name: "getOrder",
  summary: "One of the caller's orders.",
  method: "GET",
  path: "/users/api/order",
  access: "member",
  input: z.object({ order_id: OrderId }),
  response: z.object({ order: Order }),
  errors: ["invalid_input", "order_not_found"],
});

export const getOrders = call({
  name: "getOrders",
  summary: "What the caller has paid, or is about to have, the newest first.",
  method: "GET",
  path: "/users/api/orders",
  access: "member",
  input: z.object({}),
  response: z.object({ orders: z.array(Order) }),
});

/** A coupon's id as members type it: without regard to case, full-width letters and spaces around it. */
export const CouponId = z.string().check(
  z.overwrite((value) => value.normalize("NFKC").trim().toUpperCase()),
  z.minLength(1, say("required")),
  z.maxLength(COUPON_ID.max, say("too_long")),
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
  summary: "What a coupon gives, if the caller may use it now.",
  method: "GET",
  path: "/users/api/coupon/check",
  access: "member",
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
  summary: "Uses a coupon: once a member, and as often as it was made for.",
  method: "POST",
  path: "/users/api/coupon/use",
  access: "member",
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
