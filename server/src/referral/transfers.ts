import { randomUUID } from "node:crypto";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import type { Balance, Transfer, TransferState as ShownState } from "@alcove/contract/referral";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import { Refusal, refuse } from "../platform/errors.ts";
import { balanceOf, dollars, presentBalance } from "./balance.ts";
import * as ledger from "./ledger.sql.ts";
import { nextLook } from "./payout.ts";
import { emailContext, send } from "./send-transfer.ts";
import type { TransferState } from "./tables.ts";
import * as rows from "./transfers.sql.ts";

const SHOWN: Record<TransferState, ShownState> = {
  sending: "pending",
  accepted: "pending",
  paid: "completed",
  failed: "failed",
  returned: "returned",
};

/**
 * Sends all that is available to a PayPal account. The member's row is locked while it is taken out of the ledger, so
 * that of many at once one finds it; PayPal is told after the commit, under an id that stays the same. Where PayPal
 * gives no answer, the transfer stands, and the reconciling job tells it again.
 */
export async function transfer(
  deps: Deps,
  me: Me,
  { email, price }: { email: string; price: number },
): Promise<Balance> {
  const { payments } = deps;
  if (!payments) throw new Refusal("transfers_off", { beside: await balanceOf(deps.db, me.no) });
  const begun = await deps.db.transaction().execute((tx) => begin(tx, deps, me, email, price));

  const state = await send(deps, payments, begun, { isFirst: true });
  const balance = await balanceOf(deps.db, me.no);
  if (state === "failed") throw new Refusal("transfer_refused", { beside: balance });
  return balance;
}

async function begin(tx: Tx, deps: Deps, me: Me, email: string, price: number): Promise<rows.TransferRow> {
  if (!(await ledger.lockMember(tx, me.no))) throw refuse("login_required"); // deleted since the request came
  const sums = await ledger.readSums(tx, me.no);
  const cents = sums.available;
  if (!isPriceOf(price, cents)) throw new Refusal("transfer_differs", { beside: presentBalance(sums) });
  if (cents < TRANSFER_MIN_CENTS) throw new Refusal("transfer_too_small", { beside: presentBalance(sums) });

  const now = deps.clock.now();
  const transfer_id = randomUUID();
  const row: rows.TransferRow = {
    member_no: me.no,
    transfer_id,
    usd_cents: cents,
    state: "sending",
    sealed_email: deps.sealing.seal(email, emailContext(transfer_id)),
    payout_batch_id: null,
    created_at: now,
    look_at: nextLook("sending", now, now),
  };
  await takeOut(tx, row);
  return row;
}

/** Writes a transfer down, and takes its amount out of what is available. The member's row is locked. */
export async function takeOut(tx: Tx, transfer: rows.TransferRow): Promise<void> {
  const { member_no, transfer_id, usd_cents, created_at: at } = transfer;
  await rows.insertTransfer(tx, transfer);
  await ledger.insertEntry(tx, {
    member_no,
    entry_id: randomUUID(),
    kind: "transfer",
    usd_cents: -usd_cents,
    order_id: null,
    percentage: null,
    transfer_id,
    at,
  });
}

/** Whether a sum in USD is so many cents; 0.1 and 0.2 make 0.3 here. */
function isPriceOf(price: number, cents: number): boolean {
  return Math.abs(price * 100 - cents) < 0.000_1;
}

/** A member's transfers, the newest first. */
export async function transfers(deps: Deps, me: Me): Promise<{ transfers: Transfer[] }> {
  return { transfers: (await rows.readTransfers(deps.db, me.no)).map(presentTransfer) };
}

export function presentTransfer({ transfer_id, usd_cents, state, created_at }: rows.TransferRow): Transfer {
  return {
    id: transfer_id,
    amount: dollars(usd_cents),
    status: SHOWN[state],
    created_at: created_at.toISOString(),
  };
}
