import * as z from "zod/mini";
import {
  PaymentRejectedError,
  PaymentUnknownError,
  type NewPayout,
  type Payments,
  type Payout,
  type PayoutItem,
} from "./payments.ts";
import { DESCRIPTION, Link, rejectionOf, type PayPalRequests } from "./paypal-requests.ts";

const Item = z.object({
  payout_item_id: z.string(),
  payout_batch_id: z.optional(z.string()),
  transaction_status: z._default(z.string(), "PENDING"),
  payout_item: z.object({
    sender_item_id: z.optional(z.string()),
    amount: z.object({ currency: z.string(), value: z.string() }),
  }),
  errors: z.optional(z.object({ name: z.string() })),
});
const Batch = z.object({
  batch_header: z.object({ payout_batch_id: z.string(), batch_status: z.string() }),
  items: z.optional(z.array(Item)),
});
const Links = z.object({ links: z.array(Link) });

export function createPayouts({
  send,
  request,
  parse,
}: PayPalRequests): Pick<Payments, "createPayout" | "showPayout" | "showPayoutItem"> {
  async function showPayout(payoutBatchId: string): Promise<Payout> {
    return presentPayout(
      await request("show payout", Batch, `/v1/payments/payouts/${encodeURIComponent(payoutBatchId)}`),
    );
  }

  return {
    showPayout,

    async createPayout(payout) {
      const options = { requestId: payout.batchId, body: JSON.stringify(payoutBody(payout)) };
      const response = await send("create payout", "/v1/payments/payouts", options);
      const rejection = rejectionOf(response);
      if (!rejection) return presentPayout(parse("create payout", Batch, response));

      const existing = batchIdOf(response.body);
      const isRepeated =
        rejection.name === "USER_BUSINESS_ERROR" && (existing !== null || mentionsBatchId(response.body));
      if (!isRepeated) throw new PaymentRejectedError(rejection);
      if (existing === null)
        throw new PaymentUnknownError("PayPal has this payout but returns no link to it");
      try {
        return await showPayout(existing);
      } catch (error) {
        // NOTE: the payout exists, so it must not count as rejected.
        if (error instanceof PaymentRejectedError) throw new PaymentUnknownError(error.message);
        throw error;
      }
    },

    async showPayoutItem(payoutItemId) {
      const path = `/v1/payments/payouts-item/${encodeURIComponent(payoutItemId)}`;
      return presentItem(await request("show payout item", Item, path));
    },
  };
}

function payoutBody({ batchId, itemId, email, cents }: NewPayout) {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new Error(`${cents} cents cannot be paid out`);
  return {
    sender_batch_header: { sender_batch_id: batchId },
    items: [
      {
        recipient_type: "EMAIL",
        receiver: email,
        amount: {
          currency: "USD",
          value: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
        },
        sender_item_id: itemId,
        note: DESCRIPTION,
      },
    ],
  };
}

function presentPayout({ batch_header, items }: z.output<typeof Batch>): Payout {
  const [item] = items ?? [];
  return {
    payoutBatchId: batch_header.payout_batch_id,
    status: batch_header.batch_status,
    item: item ? presentItem(item) : null,
  };
}

function presentItem(item: z.output<typeof Item>): PayoutItem {
  const { amount, sender_item_id } = item.payout_item;
  return {
    payoutItemId: item.payout_item_id,
    payoutBatchId: item.payout_batch_id ?? null,
    itemId: sender_item_id ?? null,
    status: item.transaction_status,
    amount: { currency_code: amount.currency, value: amount.value },
    problem: item.errors?.name ?? null,
  };
}

/** Searches the whole body: an existing batch that counts as rejected would be paid twice. */
function mentionsBatchId(body: unknown): boolean {
  return /sender_?batch_?id/i.test(JSON.stringify(body) ?? "");
}

function batchIdOf(body: unknown): string | null {
  const read = z.safeParse(Links, body);
  const [, id] = read.success
    ? (read.data.links.map(({ href }) => /\/payouts\/([\w-]+)$/.exec(href)).find((found) => found !== null) ??
      [])
    : [];
  return id ?? null;
}
