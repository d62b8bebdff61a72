import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  grantAccount,
  listSameNetwork as listSameNetworkCall,
  lookUpMember as lookUpMemberCall,
  MemberFacts,
} from "@alcove/contract/console";
import {
  findOpenSessionsOf,
  logOperatorAction,
  restoreMember,
  suspendMember,
  readSuspensionReason,
} from "../../accounts/index.ts";
import { findAnyMember } from "../../members/find-member.ts";
import { grantMembership, listGrants, listOrders, paidUntil, timeOfOrder } from "../../membership/index.ts";
import { countSameNetwork, listSameNetwork } from "../../moderation/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError, validationError } from "../../platform/errors.ts";
import { getBalance, listTransfers } from "../../referral/index.ts";
import { listReportsOf } from "../../reports/index.ts";
import type { Operator } from "./operators.ts";

type Found = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;
type Question = ParsedOf<typeof lookUpMemberCall>;

/** Shows no text that the member wrote or received. */
export async function lookUpMember(ctx: AppContext, me: Operator, question: Question) {
  const member = await findAndLog(ctx, me, "members show", question);
  return { member: await describeMember(ctx, member) };
}

export async function listNetwork(
  ctx: AppContext,
  me: Operator,
  question: Question,
): Promise<ResponseOf<typeof listSameNetworkCall>> {
  const { memberId } = await findAndLog(ctx, me, "members network", question);
  const members = await listSameNetwork(ctx, memberId);
  return {
    members: members.map(({ userId, isSuspended, on }) => ({
      user_id: userId,
      status: isSuspended ? "suspended" : "active",
      on,
    })),
  };
}

export async function suspend(ctx: AppContext, me: Operator, question: Question) {
  const member = await findAndLog(ctx, me, "members suspend", question);
  await suspendMember(ctx, member.memberId, question.reason);
  return { member: await describeAgain(ctx, member) };
}

export async function restore(ctx: AppContext, me: Operator, question: Question) {
  const member = await findAndLog(ctx, me, "members restore", question);
  await restoreMember(ctx, member.memberId);
  return { member: await describeAgain(ctx, member) };
}

export async function grant(ctx: AppContext, me: Operator, input: ParsedOf<typeof grantAccount>) {
  const { year, month, grantId, ...question } = input;
  if (year + month === 0) throw validationError({ year: "plan_required" });
  const action = `members grant year=${year} month=${month} id=${grantId}`;
  const member = await findAndLog(ctx, me, action, question);
  await grantMembership(ctx, member.memberId, { year, month, grantId, source: "operator" });
  return { member: await describeAgain(ctx, member) };
}

/** Logs a look for an unknown user id too. */
async function findAndLog(
  ctx: AppContext,
  me: Operator,
  action: string,
  { userId, reason }: Question,
): Promise<Found> {
  const member = await findAnyMember(ctx, userId);
  await logOperatorAction(ctx, action, member, reason, me.operatorId);
  if (!member) throw new ApiError("user_not_found");
  return member;
}

async function describeAgain(ctx: AppContext, { userId }: Found): Promise<MemberFacts> {
  const member = await findAnyMember(ctx, userId);
  if (!member) throw new ApiError("user_not_found"); // deleted meanwhile
  return describeMember(ctx, member);
}

async function describeMember(ctx: AppContext, member: Found): Promise<MemberFacts> {
  const { memberId } = member;
  const now = ctx.clock.now();
  const { available, received, pending } = await getBalance(ctx.db, memberId, now);
  const until = await paidUntil(ctx, memberId);
  const reports = await listReportsOf(ctx, memberId);
  return {
    user_id: member.userId,
    status: member.accountStatus,
    suspension_reason: await readSuspensionReason(ctx, memberId),
    created_at: utcDay(member.createdAt),
    paid_until: until?.toISOString() ?? null,
    sessions: (await findOpenSessionsOf(ctx.db, memberId, now)).length,
    available,
    received,
    pending,
    same_network: await countSameNetwork(ctx, memberId),
    grants: (await listGrants(ctx, memberId)).map(({ at, source, year, month, coupon_id }) => ({
      at: at.toISOString(),
      source,
      year,
      month,
      coupon: coupon_id,
    })),
    orders: (await listOrders(ctx, memberId)).map((order) => ({
      id: order.order_id,
      price: `${order.price} ${order.currency}`,
      state: order.state,
      at: timeOfOrder(order).toISOString(),
    })),
    transfers: (await listTransfers(ctx, memberId)).map(({ transfer_id, usd_cents, state, created_at }) => ({
      id: transfer_id,
      amount: `${(usd_cents / 100).toFixed(2)} USD`,
      state,
      at: utcDay(created_at),
    })),
    reports: reports.map(({ id, side, at, outcome }) => ({ id, side, on: utcDay(at), outcome })),
  };
}
