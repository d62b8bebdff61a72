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

/** PayPal's Payouts v1: what members have earned is sent to them. */
export function createPayouts({
  ask,
  askFor,
  understood,
}: PayPalRequests): Pick<Payments, "createPayout" | "showPayout" | "showPayoutItem"> {
  async function showPayout(payoutBatchId: string): Promise<Payout> {
    return presentPayout(
      await askFor("payout", Batch, `/v1/payments/payouts/${encodeURIComponent(payoutBatchId)}`),
    );
  }

  return {
    showPayout,

    async createPayout(payout) {
      const asking = { requestId: payout.batchId, body: JSON.stringify(payoutBody(payout)) };
      const said = await ask("new payout", "/v1/payments/payouts", asking);
      const apiError = rejectionOf(said);
      if (!apiError) return presentPayout(understood("new payout", Batch, said));

      const first = batchOfLinks(said.body);
      const isRepeated =
        apiError.name === "USER_BUSINESS_ERROR" && (first !== null || isAboutBatchId(said.body));
      if (!isRepeated) throw new PaymentRejectedError(apiError);
      if (first === null)
        throw new PaymentUnknownError("PayPal has that payout already, and does not say where");
      try {
        return await showPayout(first);
      } catch (error) {
        // NOTE: it is there, so nobody may take this for a payout that was refused.
        if (error instanceof PaymentRejectedError) throw new PaymentUnknownError(error.message);
        throw error;
      }
    },

    async showPayoutItem(payoutItemId) {
      const path = `/v1/payments/payouts-item/${encodeURIComponent(payoutItemId)}`;
      return presentItem(await askFor("payout item", Item, path));
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

/** Wherever it says so: a batch that PayPal has, taken for one that it refused, would be paid twice. */
function isAboutBatchId(body: unknown): boolean {
  return /sender_?batch_?id/i.test(JSON.stringify(body) ?? "");
}

/** The batch that PayPal points at when it has one with the same id of ours. */
function batchOfLinks(body: unknown): string | null {
  const read = z.safeParse(Links, body);
  const [, id] = read.success
    ? (read.data.links.map(({ href }) => /\/payouts\/([\w-]+)$/.exec(href)).find((found) => found !== null) ??
      [])
    : [];
  return id ?? null;
}
