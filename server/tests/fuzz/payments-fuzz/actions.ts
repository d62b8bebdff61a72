import fc from "fast-check";
import { currencies, type Currency } from "@alcove/contract/prices";

const CAPTURE_MOODS = [
  "failing",
  "failing after",
  "hanging up",
  "hanging up after",
  "garbled after",
  "too many requests",
  "forgetting the token",
  "pending",
  "declined",
] as const;
const PAYOUT_MOODS = [
  "failing",
  "failing after",
  "hanging up",
  "hanging up after",
  "garbled after",
  "too many requests",
  "declined",
] as const;
/** Payout outcomes by receiver address. */
export const PAYOUT_OUTCOMES = [
  "SUCCESS",
  "PENDING",
  "UNCLAIMED",
  "ONHOLD",
  "FAILED",
  "RETURNED",
  "BLOCKED",
] as const;
/** Whose account pays. `payee` is an address to which inviters transfer. */
const PAYERS = ["own", "inviter", "payee"] as const;
/** Null is the default percentage. */
const PERCENTAGES = [null, 7, 50, 90] as const;
const REFUND_MOODS = ["failing", "failing after", "hanging up after", "garbled after"] as const;
const FORGERIES = ["body", "signature", "other webhook", "certificate", "no headers"] as const;

const CALM = [null, null, null, null, null, null] as const;

const small = fc.nat({ max: 7 });
/** Half of the values are undefined. */
const orNone = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 2 });
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      does: fc.constant("order"),
      currency: fc.constantFrom(...currencies),
      year: fc.nat({ max: 1 }),
      month: fc.integer({ min: 1, max: 5 }),
      mood: fc.constantFrom("failing", "hanging up after", ...CALM),
      isApproved: fc.constantFrom(true, true, true, false),
      payer: fc.constantFrom("own", "own", "own", ...PAYERS),
      isCaptured: fc.boolean(),
      startsAtOnce: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("bank order"),
      currency: fc.constantFrom(...currencies),
      year: fc.nat({ max: 1 }),
      month: fc.integer({ min: 1, max: 5 }),
      startsAtOnce: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant("bank paid"),
      order: small,
      times: fc.integer({ min: 1, max: 3 }),
      paid: fc.constantFrom("exact", "exact", "exact", "too little", "too much"),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("bank back"),
      order: small,
      times: fc.integer({ min: 1, max: 3 }),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("bank over"), days: fc.integer({ min: 1, max: 16 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("withdraw"),
      order: small,
      times: fc.integer({ min: 1, max: 3 }),
      mood: orNone(fc.constantFrom(...REFUND_MOODS)),
      /** A concurrent webhook. */
      beside: orNone(small),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("approve"), order: small, isToBeDeclined: fc.boolean() }),
  },
  {
    weight: 15,
    arbitrary: fc.record({
      does: fc.constant("capture"),
      order: small,
      times: fc.integer({ min: 1, max: 3 }),
      mood: orNone(fc.constantFrom(...CAPTURE_MOODS)),
      /** A concurrent webhook. */
      beside: orNone(small),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant("webhook"),
      event: small,
      times: fc.integer({ min: 1, max: 3 }),
      forgery: orNone(fc.constantFrom(...FORGERIES)),
      fails: orNone(fc.constantFrom("verify webhook", "show order")),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("settle"), order: small, isTaken: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("give back"),
      order: small,
      /** Null for a full chargeback. */
      percent: orNone(fc.integer({ min: 1, max: 100 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("coupon"), times: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("grant"), month: fc.integer({ min: 1, max: 14 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("take gift"), times: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      does: fc.constant("transfer"),
      times: fc.integer({ min: 1, max: 4 }),
      fate: fc.constantFrom(...PAYOUT_OUTCOMES),
      mood: orNone(fc.constantFrom(...PAYOUT_MOODS)),
      isCrashing: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("webhook of transfer"),
      transfer: small,
      event: small,
      times: fc.integer({ min: 1, max: 3 }),
      forgery: orNone(fc.constantFrom(...FORGERIES)),
      fails: orNone(fc.constantFrom("verify webhook", "show payout")),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("settle transfer"), transfer: small, isTaken: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("reconcile"),
      server: small,
      fails: orNone(fc.constantFrom("show order", "show payout")),
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("time"), hours: fc.nat({ max: 36 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("cheat"),
      payer: fc.constantFrom(...PAYERS),
      hours: fc.nat({ max: 36 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave"), isWithInviter: fc.boolean() }) },
) as fc.Arbitrary<Action>;

export type Action =
  | {
      does: "order";
      currency: Currency;
      year: number;
      month: number;
      mood: "failing" | "hanging up after" | null;
      isApproved: boolean;
      payer: (typeof PAYERS)[number];
      isCaptured: boolean;
      startsAtOnce: boolean;
    }
  | {
      does: "withdraw";
      order: number;
      times: number;
      mood: (typeof REFUND_MOODS)[number] | null;
      beside: number | null;
      isCrashing: boolean;
    }
  | { does: "bank order"; currency: Currency; year: number; month: number; startsAtOnce: boolean }
  /** The operator confirms the exact sum only, and pays every other one back. */
  | {
      does: "bank paid";
      order: number;
      times: number;
      paid: "exact" | "too little" | "too much";
      isCrashing: boolean;
    }
  | { does: "bank back"; order: number; times: number; isCrashing: boolean }
  /** After 30 days the nightly job forgets what nobody paid. */
  | { does: "bank over"; days: number }
  | { does: "approve"; order: number; isToBeDeclined: boolean }
  | {
      does: "capture";
      order: number;
      times: number;
      mood: (typeof CAPTURE_MOODS)[number] | null;
      beside: number | null;
      isCrashing: boolean;
    }
  | {
      does: "webhook";
      event: number;
      times: number;
      forgery: (typeof FORGERIES)[number] | null;
      fails: "verify webhook" | "show order" | null;
    }
  | { does: "settle"; order: number; isTaken: boolean }
  | { does: "give back"; order: number; percent: number | null }
  | { does: "coupon"; times: number }
  | { does: "grant"; month: number }
  | { does: "take gift"; times: number }
  | {
      does: "transfer";
      times: number;
      fate: (typeof PAYOUT_OUTCOMES)[number];
      mood: (typeof PAYOUT_MOODS)[number] | null;
      isCrashing: boolean;
    }
  | {
      does: "webhook of transfer";
      transfer: number;
      event: number;
      times: number;
      forgery: (typeof FORGERIES)[number] | null;
      fails: "verify webhook" | "show payout" | null;
    }
  | { does: "settle transfer"; transfer: number; isTaken: boolean }
  | { does: "reconcile"; server: number; fails: "show order" | "show payout" | null }
  | { does: "time"; hours: number }
  /** The member buys, the inviter transfers after a time, and the member charges back. */
  | { does: "cheat"; payer: (typeof PAYERS)[number]; hours: number }
  | { does: "leave"; isWithInviter: boolean };

/** The actions of one member in sequence, and their inviter. */
export interface FuzzCase {
  readonly inviter: number;
  readonly percentage: number | null;
  readonly steps: readonly Action[];
}

export const fuzzCase: fc.Arbitrary<FuzzCase> = fc.record({
  inviter: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: small }),
  percentage: fc.constantFrom(...PERCENTAGES),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});

const ORDER = {
  does: "order",
  currency: "USD",
  year: 1,
  month: 0,
  mood: null,
  isApproved: true,
  payer: "own",
  isCaptured: true,
  startsAtOnce: true,
} as const;
const WITHDRAWAL = { does: "withdraw", times: 2, mood: null, beside: 0, isCrashing: false } as const;
const BANK_ORDER = { ...ORDER, does: "bank order" } as const;
const BANK_PAID = { does: "bank paid", times: 2, paid: "exact", isCrashing: false } as const;
const TRANSFER = { does: "transfer", times: 1, fate: "SUCCESS", mood: null, isCrashing: false } as const;

/** An inviter, and a member with one of each event that a small run must have. Random cases may miss some of them. */
export const CERTAIN_CIRCLE: readonly FuzzCase[] = [
  { inviter: 0, percentage: 50, steps: [] },
  {
    inviter: 0,
    percentage: null,
    steps: [
      ORDER,
      { does: "time", hours: 25 },
      { ...TRANSFER, fate: "RETURNED" },
      { does: "reconcile", server: 0, fails: null },
      { does: "cheat", payer: "own", hours: 1 },
      // The inviter transferred to this account.
      { ...ORDER, payer: "payee" },
      { ...WITHDRAWAL, order: 0, mood: "failing after" },
      { ...WITHDRAWAL, order: 2, isCrashing: true },
      { does: "grant", month: 1 },
      { does: "take gift", times: 2 },
      BANK_ORDER,
      { ...BANK_PAID, order: 3, isCrashing: true },
      { ...BANK_PAID, order: 3 },
      { ...WITHDRAWAL, order: 3 },
      { does: "bank back", order: 3, times: 2, isCrashing: true },
      BANK_ORDER,
      { ...BANK_PAID, order: 4, paid: "too much" },
    ],
  },
];
