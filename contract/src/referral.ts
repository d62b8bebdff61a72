import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { Email, messageKey } from "./fields.ts";
import { PAYOUT_EMAIL_MAX } from "./limits.ts";

/** Amounts in USD. Refunds after a transfer can make `available` negative. */
const Balance = z.object({
  available: z.number(),
  received: z.number(),
  pending: z.number(),
  /** When all of `pending` is available; null if nothing is pending. */
  pending_until: z.nullable(z.string()),
});
export type Balance = z.infer<typeof Balance>;

/** `pending`: not yet paid out; `completed`: the recipient has the money. After `failed` or `returned` it is available again. */
export const transferStates = ["pending", "completed", "failed", "returned"] as const;
export type TransferState = (typeof transferStates)[number];

const Transfer = z.object({
  id: z.string(),
  amount: z.number(),
  status: z.enum(transferStates),
  created_at: z.string(),
});
export type Transfer = z.infer<typeof Transfer>;

export const getBrokerageFee = call({
  name: "getBrokerageFee",
  summary:
    "Returns the caller's referral fees: the amount available for a transfer, the amount that PayPal has accepted so far, and the amount that becomes available until `pending_until`.",
  method: "GET",
  path: "/users/api/brokerage-fee",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: Balance,
});

export const getInvitations = call({
  name: "getInvitations",
  summary:
    "Returns how many members joined by the caller's invitation before this month: at least `joined`, which is a multiple of five, or null below five.",
  method: "GET",
  path: "/users/api/invitations",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ joined: z.nullable(z.int()) }),
});

export const getTransfers = call({
  name: "getTransfers",
  summary: "Returns the caller's transfers, newest first.",
  method: "GET",
  path: "/users/api/brokerage-fee/transfers",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ transfers: z.array(Transfer) }),
});

export const transferBrokerage = call({
  name: "transferBrokerage",
  summary:
    "Transfers the whole available amount to a PayPal account, once however often it is called; `price` must be that amount. It cannot be cancelled. A 422 error also carries the balance.",
  method: "POST",
  path: "/users/api/brokerage-fee/transfer",
  access: "member",
  costs: write("transfers", { max: 20, per: "hour" }),
  input: z.object({
    email: Email.check(z.maxLength(PAYOUT_EMAIL_MAX, messageKey("too_long"))),
    price: z.number(),
  }),
  response: Balance,
  errors: [
    "invalid_input",
    "transfers_off",
    "transfer_differs",
    "transfer_too_small",
    "transfer_refused",
    "too_many_requests",
  ],
});
