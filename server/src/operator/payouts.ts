import { noteOperatorAct, readUserIds } from "../accounts/index.ts";
import type { Deps } from "../platform/deps.ts";
import { PaymentRefused, PaymentUnknown } from "../platform/payments.ts";
import {
  findTransferById,
  giveBack,
  listTransfers,
  reconcileTransfer,
  reconcileTransfers,
  type TransferRow,
} from "../referral/index.ts";
import { type Facts, type Group, noWords, oneWord, OperatorProblem, uuid } from "./command-line.ts";
import { findOrExplain } from "./members.ts";

const NOBODY = { userId: "-" };

function describe(transfer: TransferRow, userId: string | undefined): Facts {
  return {
    id: transfer.transfer_id,
    user_id: userId ?? null,
    amount: `${(transfer.usd_cents / 100).toFixed(2)} USD`,
    state: transfer.state,
    created_at: transfer.created_at.toISOString(),
    next_look_at: transfer.look_at?.toISOString() ?? null,
    paypal_batch_id: transfer.payout_batch_id,
  };
}

async function list(deps: Deps, member: string | undefined, reason: string | null): Promise<Facts[]> {
  const found = member === undefined ? null : await findOrExplain(deps, member);
  await noteOperatorAct(deps, "payouts list", found ?? NOBODY, reason);
  const transfers = await listTransfers(deps, found?.no ?? null);
  const names = await readUserIds(deps.db, [...new Set(transfers.map(({ member_no }) => member_no))]);
  return transfers.map((transfer) => describe(transfer, names.get(transfer.member_no)));
}

/** Does something to one transfer, noted without its id: nothing of it stays when its member leaves. */
async function withOne(
  deps: Deps,
  { id, act, reason }: { id: string; act: string; reason: string | null },
  run: (transfer: TransferRow) => Promise<void>,
): Promise<Facts> {
  const transfer = await findTransferById(deps.db, id.toLowerCase());
  if (!transfer) throw new OperatorProblem(`There is no payout ${id}.`);
  const userId = (await readUserIds(deps.db, [transfer.member_no])).get(transfer.member_no);
  await noteOperatorAct(deps, act, userId === undefined ? NOBODY : { userId }, reason);
  try {
    await run(transfer);
  } catch (error) {
    if (error instanceof PaymentUnknown || error instanceof PaymentRefused)
      throw new OperatorProblem(`PayPal could not be asked: ${error.message}`);
    throw error;
  }
  return describe((await findTransferById(deps.db, transfer.transfer_id)) ?? transfer, userId);
}

function withPayments(deps: Deps): void {
  if (!deps.payments) throw new OperatorProblem("Transfers are switched off: PAYPAL_CLIENT_ID is not set.");
}

export const payouts: Group = {
  list: {
    takes: "[--member USER_ID]",
    says: "the newest first; of all members the latest 200",
    options: { member: "only those of this member" },
    read: (words, values) => {
      noWords(words, "payouts list takes nothing but --member USER_ID.");
      return (deps, reason) => list(deps, values["member"], reason);
    },
  },
  reconcile: {
    takes: "[PAYOUT_ID]",
    says: "asks PayPal now about this payout, or about all that may change",
    read: (words) => {
      const usage = "payouts reconcile takes the ID of a payout, or nothing.";
      const id = words.length === 0 ? null : uuid(oneWord(words, usage), usage);
      return async (deps, reason) => {
        withPayments(deps);
        if (id !== null)
          return withOne(deps, { id, act: "payouts reconcile one", reason }, (transfer) =>
            reconcileTransfer(deps, transfer),
          );
        await noteOperatorAct(deps, "payouts reconcile", NOBODY, reason);
        const { looked, failed } = await reconcileTransfers(deps, { isAll: true });
        return { looked: String(looked), failed: String(failed) };
      };
    },
  },
  "give-back": {
    takes: "PAYOUT_ID",
    says: "where PayPal never had it: after 20 days without its answer",
    read: (words) => {
      const usage = "payouts give-back takes the ID of a payout.";
      const id = uuid(oneWord(words, usage), usage);
      return (deps, reason) =>
        withOne(deps, { id, act: "payouts give-back", reason }, async (transfer) => {
          if (!(await giveBack(deps, transfer)))
            throw new OperatorProblem(`PayPal has the payout ${id}, or may still be told of it.`);
        });
    },
  },
};
