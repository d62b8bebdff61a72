import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  findAccount as findAccountCall,
  grantAccount as grantAccountCall,
  listSameNetwork as listSameNetworkCall,
  lookUpMember as lookUpMemberCall,
  MemberFacts,
  revokeGrant as revokeGrantCall,
  setPercentage as setPercentageCall,
  removeAccount as removeAccountCall,
} from "@alcove/contract/console";
import { isRevoked, timeOfOrder } from "../../membership/index.ts";
import { countSameNetwork, listSameNetwork } from "../../moderation/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import {
  actOnMember,
  type Actor,
  deleteAccount,
  endAccountSessions,
  findAccount,
  type FoundMember,
  grantAccount,
  readAccount,
  restoreAccount,
  revokeAccountGrant,
  setAccountPercentage,
  suspendAccount,
} from "../members.ts";
import type { Operator } from "./operators.ts";

type Question = ParsedOf<typeof lookUpMemberCall>;

export async function lookUpMember(ctx: AppContext, me: Operator, question: Question) {
  return present(ctx, await actOnMember(ctx, actorOf(me, question), "members show", question.userId));
}

export async function listNetwork(
  ctx: AppContext,
  me: Operator,
  question: Question,
): Promise<ResponseOf<typeof listSameNetworkCall>> {
  const member = await actOnMember(ctx, actorOf(me, question), "members network", question.userId);
  if (!member) throw new ApiError("user_not_found");
  const members = await listSameNetwork(ctx, member.memberId);
  return {
    members: members.map(({ userId, isSuspended, on }) => ({
      user_id: userId,
      status: isSuspended ? "suspended" : "active",
      on,
    })),
  };
}

export async function suspend(ctx: AppContext, me: Operator, question: Question) {
  return present(ctx, await suspendAccount(ctx, actorOf(me, question), question.userId));
}

export async function restore(ctx: AppContext, me: Operator, question: Question) {
  return present(ctx, await restoreAccount(ctx, actorOf(me, question), question.userId));
}

export async function find(
  ctx: AppContext,
  me: Operator,
  { email, ...question }: ParsedOf<typeof findAccountCall>,
) {
  return present(ctx, await findAccount(ctx, actorOf(me, question), email));
}

export async function logOut(ctx: AppContext, me: Operator, question: Question) {
  return present(ctx, await endAccountSessions(ctx, actorOf(me, question), question.userId));
}

export async function remove(
  ctx: AppContext,
  me: Operator,
  question: Question,
): Promise<ResponseOf<typeof removeAccountCall>> {
  const deleted = await deleteAccount(ctx, actorOf(me, question), question.userId);
  if (!deleted) throw new ApiError("user_not_found");
  return { removed: deleted.requestId === null ? "deleted" : "waiting" };
}

export async function grant(ctx: AppContext, me: Operator, input: ParsedOf<typeof grantAccountCall>) {
  if (input.year + input.month === 0) throw validationError({ year: "plan_required" });
  return present(ctx, await grantAccount(ctx, actorOf(me, input), input.userId, input));
}

export async function revokeGrant(ctx: AppContext, me: Operator, input: ParsedOf<typeof revokeGrantCall>) {
  const member = await revokeAccountGrant(ctx, actorOf(me, input), input.userId, input.grantId);
  if (member === "no gift") throw new ApiError("not_found");
  return present(ctx, member);
}

export async function setPercentage(
  ctx: AppContext,
  me: Operator,
  input: ParsedOf<typeof setPercentageCall>,
) {
  const { userId, percentage = null } = input;
  return present(ctx, await setAccountPercentage(ctx, actorOf(me, input), userId, percentage));
}

const actorOf = (
  { operatorId }: Operator,
  { reason, case: caseNo = null }: Pick<Question, "reason"> & Partial<Pick<Question, "case">>,
): Actor => ({ operatorId, reason, caseNo: caseNo === null ? null : Number(caseNo) });

async function present(ctx: AppContext, member: FoundMember | null): Promise<{ member: MemberFacts }> {
  if (!member) throw new ApiError("user_not_found");
  return { member: await describeMember(ctx, member) };
}

async function describeMember(ctx: AppContext, member: FoundMember): Promise<MemberFacts> {
  const account = await readAccount(ctx, member);
  const { available, received, pending } = account.balance;
  return {
    user_id: member.userId,
    status: member.accountStatus,
    suspension_reason: account.suspensionReason,
    created_at: utcDay(member.createdAt),
    paid_until: account.paidUntil?.toISOString() ?? null,
    sessions: account.sessions,
    available,
    received,
    pending,
    percentage: account.feePercentage,
    same_network: await countSameNetwork(ctx, member.memberId),
    grants: account.grants.map((grant) => ({
      id: grant.grant_id,
      at: grant.at.toISOString(),
      source: grant.source,
      year: grant.year,
      month: grant.month,
      coupon: grant.coupon_id,
      is_revoked: isRevoked(grant),
    })),
    orders: account.orders.map((order) => ({
      id: order.order_id,
      price: `${order.price} ${order.currency}`,
      state: order.state,
      at: timeOfOrder(order).toISOString(),
    })),
    transfers: account.transfers.map(({ transfer_id, usd_cents, state, created_at }) => ({
      id: transfer_id,
      amount: `${(usd_cents / 100).toFixed(2)} USD`,
      state,
      at: utcDay(created_at),
    })),
    reports: account.reports.map(({ number, side, on, outcome }) => ({
      id: String(number),
      side,
      on,
      outcome,
    })),
  };
}
