import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { logOperatorAction, readUserIds } from "../../accounts/index.ts";
import type { AppContext } from "../../platform/context.ts";
import { PaymentRejectedError, PaymentUnknownError } from "../../integrations/paypal/payments.ts";
import {
  getBalance,
  findPayout,
  findTransferById,
  type FoundPayout,
  returnUnsent,
  listTransfers,
  importPayout,
  reconcileTransfer,
  reconcileTransfers,
  type TransferRow,
} from "../../referral/index.ts";
import {
  type Facts,
  type Group,
  type Meanings,
  noWords,
  oneWord,
  OperatorProblem,
  UsageProblem,
  uuid,
  type Values,
} from "../command-line.ts";
import { findOrExplain } from "./members.ts";

const NOBODY = { userId: "-" };

const PAYOUT: Meanings = {
  id: "ours; at PayPal the id of the sender's batch and item",
  user_id: "whose it is",
  amount: "in USD",
  state:
    "`sending` (PayPal may not have it), `accepted`, `paid`, `failed` (nothing was paid) or `returned` (it came back)",
  created_at: "when the member sent it, or when it was recorded",
  next_look_at: "when PayPal is asked again",
  paypal_batch_id: "PayPal's id of the batch",
};

const inDollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;

function describe(transfer: TransferRow, userId: string | undefined): Facts {
  return {
    id: transfer.transfer_id,
    user_id: userId ?? null,
    amount: inDollars(transfer.usd_cents),
    state: transfer.state,
    created_at: transfer.created_at.toISOString(),
    next_look_at: transfer.next_poll_at?.toISOString() ?? null,
    paypal_batch_id: transfer.payout_batch_id,
  };
}

async function list(ctx: AppContext, member: string | undefined, reason: string | null): Promise<Facts[]> {
  const found = member === undefined ? null : await findOrExplain(ctx, member);
  await logOperatorAction(ctx, "payouts list", found ?? NOBODY, reason);
  const transfers = await listTransfers(ctx, found?.memberId ?? null);
  const names = await readUserIds(ctx.db, [...new Set(transfers.map(({ member_no }) => member_no))]);
  return transfers.map((transfer) => describe(transfer, names.get(transfer.member_no)));
}

/** Does something to one transfer, noted without its id: nothing of it stays when its member leaves. */
async function withOne(
  ctx: AppContext,
  { id, act, reason }: { id: string; act: string; reason: string | null },
  run: (transfer: TransferRow) => Promise<void>,
): Promise<Facts> {
  const transfer = await findTransferById(ctx.db, id.toLowerCase());
  if (!transfer) throw new OperatorProblem(`There is no payout ${id}.`);
  const userId = (await readUserIds(ctx.db, [transfer.member_no])).get(transfer.member_no);
  await logOperatorAction(ctx, act, userId === undefined ? NOBODY : { userId }, reason);
  await asking(() => run(transfer));
  return describe((await findTransferById(ctx.db, transfer.transfer_id)) ?? transfer, userId);
}

/** Tells in plain words where PayPal gives no answer, or none but no. */
async function asking<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)
      throw new OperatorProblem(`PayPal could not be asked: ${error.message}`);
    throw error;
  }
}

function withPayments(ctx: AppContext): void {
  if (!ctx.payments) throw new OperatorProblem("Transfers are switched off: PAYPAL_CLIENT_ID is not set.");
}

interface Claim {
  readonly userId: string;
  readonly usdCents: number;
  /** PayPal's ids of the batch and of its item. */
  readonly batch: string | null;
  readonly item: string | null;
  /** Ours. */
  readonly senderId: string | null;
}

function readClaim(words: readonly string[], values: Values): Claim {
  const userId = oneWord(words, "payouts record takes one USER_ID.");
  const { amount = "", currency, batch = null, item = null, "sender-id": sender } = values;
  const [, whole, cents = "0"] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new UsageProblem("payouts record needs --amount, such as 16.00.");
  if (currency !== "USD")
    throw new UsageProblem("payouts record needs --currency USD: transfers have no other.");
  const named = [batch, item].filter((id) => id !== null);
  if (named.length > 1 || (named.length === 0 && sender === undefined))
    throw new UsageProblem("payouts record needs --batch or --item, one of them.");
  if (!named.every((id) => /^[\w-]{1,60}$/.test(id))) throw new UsageProblem("That is no id of PayPal's.");
  const usdCents = Number(whole) * 100 + Number(cents.padEnd(2, "0"));
  if (usdCents < TRANSFER_MIN_CENTS) throw new UsageProblem("No transfer is below 10.00 USD.");
  const senderId = sender === undefined ? null : uuid(sender, "--sender-id must be a UUID.");
  return { userId, usdCents, batch, item, senderId };
}

/** What PayPal has of it; where PayPal is not configured, what the operator says. */
async function look({ payoutReader }: AppContext, claim: Claim): Promise<FoundPayout> {
  const { batch, item, senderId, usdCents } = claim;
  if (!payoutReader) {
    if (senderId === null)
      throw new OperatorProblem("PayPal cannot be asked, for PAYPAL_CLIENT_ID is not set: name --sender-id.");
    return { transferId: senderId, usdCents, payoutBatchId: batch, payout: null };
  }
  if (batch === null && item === null)
    throw new OperatorProblem("PayPal does not find a payout by --sender-id: name --batch or --item.");
  const found = await asking(() => findPayout(payoutReader, batch === null ? { item: item! } : { batch }));
  if (!found) throw new OperatorProblem("PayPal shows no payout of ours under this id, or not yet.");
  if (senderId !== null && senderId !== found.transferId)
    throw new OperatorProblem(`PayPal has it under another id of ours: ${found.transferId}.`);
  if (usdCents !== found.usdCents) throw new OperatorProblem(`PayPal paid ${inDollars(found.usdCents)}.`);
  return found;
}

const NOT_IMPORTED = {
  other_member: "Another member has this transfer.",
  other_amount: "The member has this transfer with another amount.",
  returned: "The member has this transfer, and its amount was returned.",
  archived: "The archive has this transfer: its member was deleted.",
  member_deleted: "The member was just deleted.",
};

async function record(ctx: AppContext, claim: Claim, reason: string | null): Promise<Facts> {
  const member = await findOrExplain(ctx, claim.userId);
  await logOperatorAction(ctx, "payouts record", member, reason);
  const done = await importPayout(ctx, member.memberId, await look(ctx, claim));
  if (!("transfer" in done)) throw new OperatorProblem(NOT_IMPORTED[done.kind]);
  const { available, received } = await getBalance(ctx.db, member.memberId);
  return {
    ...describe(done.transfer, member.userId),
    was_recorded_before: done.kind === "already_imported" ? "yes" : "no",
    available: inDollars(available * 100),
    received: inDollars(received * 100),
  };
}

export const payouts: Group = {
  list: {
    takes: "[--member USER_ID]",
    says: "the newest first; of all members the latest 200",
    options: { member: "only those of this member" },
    tells: PAYOUT,
    read: (words, values) => {
      noWords(words, "payouts list takes nothing but --member USER_ID.");
      return (ctx, reason) => list(ctx, values["member"], reason);
    },
  },
  reconcile: {
    takes: "[PAYOUT_ID]",
    says: "asks PayPal now about this payout, or about all that may change",
    tells: {
      ...PAYOUT,
      looked: "of all: how many PayPal was asked about",
      failed: "of all: how many of them it gave no answer to",
    },
    read: (words) => {
      const usage = "payouts reconcile takes the ID of a payout, or nothing.";
      const id = words.length === 0 ? null : uuid(oneWord(words, usage), usage);
      return async (ctx, reason) => {
        withPayments(ctx);
        if (id !== null)
          return withOne(ctx, { id, act: "payouts reconcile one", reason }, (transfer) =>
            reconcileTransfer(ctx, transfer),
          );
        await logOperatorAction(ctx, "payouts reconcile", NOBODY, reason);
        const { polled, failed } = await reconcileTransfers(ctx, { isAll: true });
        return { looked: String(polled), failed: String(failed) };
      };
    },
  },
  "give-back": {
    takes: "PAYOUT_ID",
    says: "where PayPal never had it: after 20 days without its answer",
    tells: PAYOUT,
    read: (words) => {
      const usage = "payouts give-back takes the ID of a payout.";
      const id = uuid(oneWord(words, usage), usage);
      return (ctx, reason) =>
        withOne(ctx, { id, act: "payouts give-back", reason }, async (transfer) => {
          if (!(await returnUnsent(ctx, transfer)))
            throw new OperatorProblem(`PayPal has the payout ${id}, or may still be told of it.`);
        });
    },
  },
  record: {
    takes: "USER_ID --amount 16.00 --currency USD --batch ID",
    says: "after a restoration: PayPal paid it, and the books do not have it; once",
    tells: {
      ...PAYOUT,
      was_recorded_before: "`yes` or `no`",
      available:
        "what the member can transfer now; less than nothing where more was paid than is in the books",
      received: "what PayPal has accepted for the member so far",
    },
    options: {
      amount: "what was paid out, to the cent",
      currency: "USD",
      batch: "PayPal's id of the payout's batch",
      item: "PayPal's id of its item, in place of --batch",
      "sender-id": "our id of it, the sender's batch id at PayPal; needed where PayPal cannot be asked",
    },
    read: (words, values) => {
      const claim = readClaim(words, values);
      return (ctx, reason) => record(ctx, claim, reason);
    },
  },
};
