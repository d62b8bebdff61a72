import { logOperatorAction } from "../accounts/index.ts";
import * as membership from "../membership/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Actor } from "./members.ts";

export async function listBankTransfers(
  ctx: AppContext,
  { operatorId, reason }: Actor,
): Promise<membership.ListedBankOrder[]> {
  await logOperatorAction(ctx, "orders bank-list", null, reason, operatorId);
  return membership.listBankOrders(ctx);
}

/** Pays the order once, however often it is confirmed. Returns null for an unknown reference. */
export async function confirmBankTransfer(
  ctx: AppContext,
  by: Actor,
  reference: string,
): Promise<membership.OrderRow | "paid earlier" | null> {
  const ref = await find(ctx, by, "orders bank-paid", reference);
  if (!ref) return null;
  return ref.member_no === null ? "paid earlier" : membership.settleBankTransfer(ctx, ref);
}

export async function confirmBankRefund(ctx: AppContext, by: Actor, reference: string): Promise<boolean> {
  const ref = await find(ctx, by, "orders bank-refunded", reference);
  return ref !== null && membership.settleBankRefund(ctx, ref);
}

async function find(ctx: AppContext, { operatorId, reason }: Actor, action: string, reference: string) {
  const ref = await membership.findBankOrder(ctx, reference.trim().toUpperCase());
  const memberId = ref?.member_no ?? null;
  await logOperatorAction(ctx, action, memberId === null ? null : { memberId }, reason, operatorId);
  return ref;
}
