import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { logOperatorAction } from "../../../accounts/index.ts";
import { readUserIds } from "../../../members/user-ids.ts";
import type { AppContext } from "../../../platform/context.ts";
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
} from "../../../referral/index.ts";
import {
  type Fields,
  type Group,
  type FieldDescriptions,
  singleArgument,
  OperatorError,
  UsageError,
  parseUuid,
  required,
  type Options,
  throwIfWaiting,
} from "../command-line.ts";
import { askSecondOperator, type Guarded } from "../../requests.ts";
import { requireMember } from "./members.ts";
import { listCommand, reconcileCommand, withPayPalErrors } from "./paypal.ts";

const PAYOUT: FieldDescriptions = {
  id: "our id; PayPal's sender_batch_id and sender_item_id",
  user_id: "the member",
  amount: "in USD",
  state:
    "`sending` (not confirmed by PayPal), `accepted`, `paid`, `failed` (not paid) or `returned` (paid back)",
  created_at: "start of the day of the transfer or of its import",
  next_look_at: "time of the next poll at PayPal",
  paypal_batch_id: "PayPal's id of the batch",
};

const inDollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;

function describe(transfer: TransferRow, userId: string | undefined): Fields {
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

async function list(ctx: AppContext, memberId: number | null): Promise<Fields[]> {
  const transfers = await listTransfers(ctx, memberId);
  const names = await readUserIds(ctx.db, ctx.encryption, [
    ...new Set(transfers.map(({ member_no }) => member_no)),
  ]);
  return transfers.map((transfer) => describe(transfer, names.get(transfer.member_no)));
}

/** NOTE: the log entry has no transfer id, so that it leads to no transfer after the member's deletion. */
async function withOne(
  ctx: AppContext,
  { id, action, reason }: { id: string; action: string; reason: string | null },
  run: (transfer: TransferRow) => Promise<void>,
): Promise<Fields> {
  const transfer = required(await findTransferById(ctx.db, id.toLowerCase()), `There is no payout ${id}.`);
  const userId = (await readUserIds(ctx.db, ctx.encryption, [transfer.member_no])).get(transfer.member_no);
  await logOperatorAction(
    ctx,
    action,
    userId === undefined ? null : { memberId: transfer.member_no },
    reason,
  );
  await withPayPalErrors(() => run(transfer));
  return describe((await findTransferById(ctx.db, transfer.transfer_id)) ?? transfer, userId);
}

interface PayoutClaim {
  readonly userId: string;
  readonly usdCents: number;
  readonly batch: string | null;
  readonly item: string | null;
  readonly senderId: string | null;
}

function parseClaim(words: readonly string[], values: Options): PayoutClaim {
  const userId = singleArgument(words, "payouts import takes one USER_ID.");
  const { amount = "", currency, batch = null, item = null, "sender-id": sender } = values;
  const [, whole, cents = "0"] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new UsageError("payouts import needs --amount, such as 16.00.");
  if (currency !== "USD")
    throw new UsageError("payouts import needs --currency USD: transfers have no other.");
  const named = [batch, item].filter((id) => id !== null);
  if (named.length > 1 || (named.length === 0 && sender === undefined))
    throw new UsageError("payouts import needs --batch or --item, one of them.");
  if (!named.every((id) => /^[\w-]{1,60}$/.test(id))) throw new UsageError("That is no id of PayPal's.");
  const usdCents = Number(whole) * 100 + Number(cents.padEnd(2, "0"));
  if (usdCents < TRANSFER_MIN_CENTS) throw new UsageError("No transfer is below 10.00 USD.");
  const senderId = sender === undefined ? null : parseUuid(sender, "--sender-id must be a UUID.");
  return { userId, usdCents, batch, item, senderId };
}

/** Trusts the operator's ids if PayPal is not configured. */
async function findClaimed({ payoutReader }: AppContext, claim: PayoutClaim): Promise<FoundPayout> {
  const { batch, item, senderId, usdCents } = claim;
  if (!payoutReader) {
    if (senderId === null)
      throw new OperatorError("PAYPAL_CLIENT_ID is not set, so PayPal cannot be reached: add --sender-id.");
    return { transferId: senderId, usdCents, payoutBatchId: batch, payout: null };
  }
  if (batch === null && item === null)
    throw new OperatorError("PayPal cannot find a payout by --sender-id: add --batch or --item.");
  const found = required(
    await withPayPalErrors(() => findPayout(payoutReader, batch === null ? { item: item! } : { batch })),
    "PayPal has no payout of ours under this id, or not yet.",
  );
  if (senderId !== null && senderId !== found.transferId)
    throw new OperatorError(`PayPal has it under another id of ours: ${found.transferId}.`);
  if (usdCents !== found.usdCents) throw new OperatorError(`PayPal paid ${inDollars(found.usdCents)}.`);
  return found;
}

/** Payouts by hand need a second operator. */
async function waitForSecond(ctx: AppContext, reason: string | null, guarded: Guarded): Promise<void> {
  throwIfWaiting(await askSecondOperator(ctx, { operatorId: null, reason }, guarded));
}

const NOT_IMPORTED = {
  other_member: "Another member has this transfer.",
  other_amount: "The member has this transfer with another amount.",
  returned: "The member has this transfer, and its amount was returned.",
  archived: "The archive has this transfer: its member was deleted.",
  member_deleted: "The member was just deleted.",
};

async function importClaimed(ctx: AppContext, claim: PayoutClaim, reason: string | null): Promise<Fields> {
  const member = await requireMember(ctx, claim.userId);
  await logOperatorAction(ctx, "payouts import", member, reason);
  const { usdCents, batch, item, senderId } = claim;
  const details = [inDollars(usdCents), batch ?? item ?? senderId].join(" ");
  await waitForSecond(ctx, reason, { action: "payouts import", member, details });
  const done = await importPayout(ctx, member.memberId, await findClaimed(ctx, claim));
  if (!("transfer" in done)) throw new OperatorError(NOT_IMPORTED[done.kind]);
  const { available, received } = await getBalance(ctx.db, member.memberId, ctx.clock.now());
  return {
    ...describe(done.transfer, member.userId),
    was_recorded_before: done.kind === "already_imported" ? "yes" : "no",
    available: inDollars(available * 100),
    received: inDollars(received * 100),
  };
}

const KIND = { name: "payouts", idName: "PAYOUT_ID", fields: PAYOUT };

export const payouts: Group = {
  list: listCommand(KIND, list),
  reconcile: reconcileCommand(KIND, {
    one: (ctx, id, reason) =>
      withOne(ctx, { id, action: "payouts reconcile one", reason }, (transfer) =>
        reconcileTransfer(ctx, transfer),
      ),
    all: (ctx) => reconcileTransfers(ctx, { isAll: true }),
  }),
  return: {
    usage: "PAYOUT_ID",
    summary: "returns an unconfirmed payout to the balance, after 20 days",
    fields: PAYOUT,
    parse: (words) => {
      const usage = "payouts return takes the ID of a payout.";
      const id = parseUuid(singleArgument(words, usage), usage);
      return (ctx, reason) =>
        withOne(ctx, { id, action: "payouts return", reason }, async (transfer) => {
          const member = { memberId: transfer.member_no };
          await waitForSecond(ctx, reason, { action: "payouts return", member, details: id });
          if (!(await returnUnsent(ctx, transfer)))
            throw new OperatorError(`PayPal has the payout ${id}, or it may still be sent.`);
        });
    },
  },
  import: {
    usage: "USER_ID --amount 16.00 --currency USD --batch ID",
    summary: "imports a payout that a restored database lacks",
    fields: {
      ...PAYOUT,
      was_recorded_before: "`yes` or `no`",
      available: "the member's available balance; can be negative",
      received: "amount accepted by PayPal so far",
    },
    options: {
      amount: "the amount paid",
      currency: "USD",
      batch: "PayPal's batch id",
      item: "PayPal's item id, instead of --batch",
      "sender-id": "our id (sender_batch_id); required if PayPal cannot be reached",
    },
    parse: (words, values) => {
      const claim = parseClaim(words, values);
      return (ctx, reason) => importClaimed(ctx, claim, reason);
    },
  },
};
