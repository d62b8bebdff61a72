import * as z from "zod/mini";
import { call } from "./call.ts";
import { Email, type FieldMessage } from "./fields.ts";
import { PAYOUT_EMAIL_MAX } from "./limits.ts";

const say = (message: FieldMessage): string => message;

/** In USD, with two decimals at most. Refunds after a transfer can make `available` negative. */
const Balance = z.object({ available: z.number(), received: z.number() });
export type Balance = z.infer<typeof Balance>;

/**
 * How a transfer stands: PayPal has it or is about to (`pending`), the recipient has the money (`completed`), it was
 * never sent (`failed`) or came back (`returned`). Of the last two the amount is available again.
 */
export const transferStates = ["pending", "completed", "failed", "returned"] as const;
export type TransferState = (typeof transferStates)[number];

const Transfer = z.object({
  id: z.string(),
  /** In USD. */
  amount: z.number(),
  status: z.enum(transferStates),
  created_at: z.string(),
});
export type Transfer = z.infer<typeof Transfer>;

export const getBrokerageFee = call({
  name: "getBrokerageFee",
  summary:
    "What the caller earned by inviting: what can be transferred, and what PayPal has accepted for the caller so far.",
  method: "GET",
  path: "/users/api/brokerage-fee",
  access: "member",
  input: z.object({}),
  response: Balance,
});

export const getTransfers = call({
  name: "getTransfers",
  summary: "The caller's transfers, the newest first.",
  method: "GET",
  path: "/users/api/brokerage-fee/transfers",
  access: "member",
  input: z.object({}),
  response: z.object({ transfers: z.array(Transfer) }),
});

export const transferBrokerage = call({
  name: "transferBrokerage",
  summary:
    "Sends the whole available amount to a PayPal account, once however often it is asked; `price` must be that amount. It cannot be cancelled. A refusal with 422 carries `available` and `received` beside its code.",
  method: "POST",
  path: "/users/api/brokerage-fee/transfer",
  access: "member",
  input: z.object({
    email: Email.check(z.maxLength(PAYOUT_EMAIL_MAX, say("too_long"))),
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
