import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { choice, messageKey, hasBoth, wholeNumber } from "./fields.ts";
import { isRegion } from "./countries.ts";
import { COUPON_ID, PLAN } from "./limits.ts";
import { type Currency, currencies, priceOf } from "./prices.ts";
import { RegionRules } from "./regions.ts";
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

const orderKinds = ["paypal", "bank"] as const;
export type OrderKind = (typeof orderKinds)[number];

/** For a bank transfer: `account` is the operator's, in lines. */
const BankTransfer = z.object({ reference: z.string(), account: z.string(), until: z.string() });
export type BankTransfer = z.infer<typeof BankTransfer>;

const Order = z.object({
  id: z.string(),
  /** Of the receipt; null while nothing is paid. */
  number: z.nullable(z.string()),
  kind: z.enum(orderKinds),
  year: z.int(),
  month: z.int(),
  /** In whole units of the currency. */
  price: z.int(),
  currency: z.enum(currencies),
  status: z.enum(orderStates),
  payment_successed_at: z.nullable(z.string()),
  /** The end of the buyer's right to withdraw; null without such a right. */
  withdraw_until: z.nullable(z.string()),
  withdrawn_at: z.nullable(z.string()),
  /** Of an unpaid order by bank transfer, whose status is `pending`. */
  transfer: z.nullable(BankTransfer),
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

const PlanFields = {
  currency: choice(currencies),
  price: wholeNumber(0, PLAN.maxPrice),
  year: wholeNumber(0, PLAN.maxYears),
  month: wholeNumber(0, PLAN.maxMonths),
};

/** A country of ISO 3166-1, or a state: `DE`, `US-CA`. */
const Country = z.string().check(
  z.toUpperCase(),
  z.refine((code) => isRegion(code), messageKey("unknown_choice")),
);

function withPlanChecks<Schema extends z.ZodMiniType<PlanInput>>(schema: Schema) {
  return schema.check(
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
  );
}

export const getRegions = call({
  name: "getRegions",
  summary:
    "Returns the rules of purchases by country or state. A state has what its own row leaves out from its country. `country` is that of the caller's newest order.",
  method: "GET",
  path: "/users/api/upgrade-account/regions",
  access: "member",
  forPurchases: true,
  costs: READ,
  input: z.object({}),
  response: z.object({
    country: z.nullable(z.string()),
    regions: z.record(z.string(), z.partial(RegionRules)),
    bank_transfers: z.boolean(),
  }),
});

const NewOrder = withPlanChecks(
  z.object({
    ...PlanFields,
    country: z.optional(z.nullable(Country)),
    /** `yes`: the buyer asks to start at once, and pays for the days used after a withdrawal. */
    start_at_once: z.optional(z.nullable(z.string())),
  }),
);

export const createOrder = call({
  name: "createOrder",
  summary:
    "Creates an order of years and months at the listed price. The buyer approves it at `approve_url`, which leads back to `/{lang}/upgrade-account?order_id=…` (or `?cancelled=…`). The client then captures it by `order_id`.",
  method: "POST",
  path: "/users/api/upgrade-account/create-order",
  access: "member",
  forPurchases: true,
  costs: write("orders", { per: "hour" }),
  input: NewOrder,
  response: z.object({ order_id: z.string(), paypal_order_id: z.string(), approve_url: z.string() }),
  errors: [
    "invalid_input",
    "country_required",
    "country_closed",
    "plan_too_long",
    "payments_off",
    "payments_unavailable",
    "too_many_requests",
  ],
});

export const createBankOrder = call({
  name: "createBankOrder",
  summary:
    "Creates an order that the buyer pays by bank transfer with its reference, within 30 days. The operator confirms the money. A member has three unpaid ones at most.",
  method: "POST",
  path: "/users/api/upgrade-account/bank-order",
  access: "member",
  forPurchases: true,
  costs: write("bank_orders", { max: 20, per: "hour" }),
  input: NewOrder,
  response: z.object({ order_id: z.string(), ...BankTransfer.shape }),
  errors: [
    "invalid_input",
    "country_required",
    "country_closed",
    "plan_too_long",
    "bank_transfers_off",
    "bank_orders_open",
    "too_many_requests",
  ],
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
  withoutConsent: false,
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

/** In units of the currency, with decimals for USD. */
const Sum = z.object({ net: z.number(), tax: z.number(), total: z.number() });

const Receipt = z.object({
  number: z.string(),
  seller: z.object({ name: z.string(), address: z.string(), tax_number: z.nullable(z.string()) }),
  currency: z.enum(currencies),
  sum: Sum,
  tax_rate: z.number(),
  /** Of the payer; null if unknown. */
  country: z.nullable(z.string()),
  year: z.int(),
  month: z.int(),
  paid_at: z.string(),
  /** The bought time; null once nothing of it is left. */
  period: z.nullable(z.object({ from: z.string(), until: z.string() })),
  credit_note: z.nullable(z.object({ number: z.string(), at: z.string(), sum: Sum })),
});
export type Receipt = z.infer<typeof Receipt>;

/** `pending`: the money is not on its way yet. */
const refundStates = ["done", "pending"] as const;
export type RefundState = (typeof refundStates)[number];

const Refund = z.object({
  /** In units of the currency, with decimals for USD. */
  amount: z.number(),
  currency: z.enum(currencies),
  state: z.enum(refundStates),
});
export type Refund = z.infer<typeof Refund>;

export const getReceipt = call({
  name: "getReceipt",
  summary: "Returns the receipt of one of the caller's paid orders, and its credit note after a withdrawal.",
  method: "GET",
  path: "/users/api/order/receipt",
  access: "member",
  forPurchases: true,
  forCase: true,
  costs: READ,
  input: z.object({ order_id: OrderId }),
  response: z.object({ order: Order, receipt: Receipt, refund: z.nullable(Refund) }),
  errors: ["invalid_input", "order_not_found"],
});

export const previewWithdrawal = call({
  name: "previewWithdrawal",
  summary: "Returns what the caller would get back now by a withdrawal from one of their orders.",
  method: "GET",
  path: "/users/api/upgrade-account/withdraw",
  access: "member",
  forPurchases: true,
  forCase: true,
  costs: READ,
  input: z.object({ order_id: OrderId }),
  response: z.object({ order: Order, refund: Refund }),
  errors: ["invalid_input", "order_not_found", "withdrawal_over", "not_withdrawable"],
});

export const withdraw = call({
  name: "withdraw",
  summary:
    "Withdraws from a purchase: ends its time at once and pays the buyer's share back. Repeated, it returns the same. `pending` refunds are repeated until PayPal accepts them.",
  method: "POST",
  path: "/users/api/upgrade-account/withdraw",
  access: "member",
  forPurchases: true,
  forCase: true,
  withoutConsent: true,
  costs: write("withdrawals"),
  input: z.object({ order_id: OrderId }),
  response: z.object({ order: Order, refund: Refund, user: User }),
  errors: ["invalid_input", "order_not_found", "withdrawal_over", "not_withdrawable"],
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
  forCase: true,
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

const couponErrors = [
  "invalid_input",
  "coupon_not_found",
  "coupon_expired",
  "coupon_used_up",
  "coupon_used",
  "too_many_requests",
] as const;

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
  errors: couponErrors,
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
  errors: couponErrors,
});
