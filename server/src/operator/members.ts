import { deleteMember, endAllSessions, findOpenSessionsOf, logOperatorAction } from "../accounts/index.ts";
import * as cases from "../cases/index.ts";
import { findAnyMember, findMemberByEmail } from "../members/find-member.ts";
import { findUserId } from "../members/user-ids.ts";
import { grantMembership, listGrants, listOrders, paidUntil, revokeGift } from "../membership/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";
import { getBalance, listTransfers, readFeePercentage, setFeePercentage } from "../referral/index.ts";
import { deciderOf } from "./cases.ts";
import { askSecondOperator, DELETE_MEMBER } from "./requests.ts";

export interface Actor {
  readonly operatorId: string | null;
  readonly reason: string | null;
  /** Of a look that belongs to a case, so that the member reads it with the case. */
  readonly caseNo?: number | null;
}

export type FoundMember = NonNullable<Awaited<ReturnType<typeof findAnyMember>>>;

/** @throws invalid_input for a case in which the member is no side */
export async function logLook(
  ctx: AppContext,
  { operatorId, reason, caseNo = null }: Actor,
  action: string,
  member: MemberRef | null,
): Promise<void> {
  if (member && caseNo !== null && !(await cases.isSideOf(ctx, caseNo, member.memberId)))
    throw validationError({ case: "invalid" });
  await logOperatorAction(ctx, action, member, reason, operatorId, member && caseNo);
}

/** Logs the action, for an unknown user id too, then runs it. */
export async function actOnMember(
  ctx: AppContext,
  by: Actor,
  action: string,
  userId: string,
  act?: (memberId: number) => Promise<unknown>,
): Promise<FoundMember | null> {
  const member = await findAnyMember(ctx, userId);
  await logLook(ctx, by, action, member);
  if (!member || !act) return member;
  await act(member.memberId);
  return findAnyMember(ctx, userId);
}

export const suspendAccount = (ctx: AppContext, by: Actor, userId: string) =>
  actOnMember(ctx, by, "members suspend", userId, async (memberId) => {
    const decider = await deciderOf(ctx, by.operatorId);
    await cases.suspendAccount(ctx, memberId, { by: decider, reason: by.reason });
  });

export const restoreAccount = (ctx: AppContext, by: Actor, userId: string) =>
  actOnMember(ctx, by, "members restore", userId, (memberId) => cases.restoreAccount(ctx, memberId));

export const endAccountSessions = (ctx: AppContext, by: Actor, userId: string) =>
  actOnMember(ctx, by, "members log-out", userId, (memberId) => endAllSessions(ctx, memberId));

/** Returns null for an unknown user id. `requestId` is that of a request that waits for another operator. */
export async function deleteAccount(
  ctx: AppContext,
  by: Actor,
  userId: string,
): Promise<{ requestId: string | null } | null> {
  const member = await actOnMember(ctx, by, DELETE_MEMBER, userId);
  if (!member) return null;
  const requestId = await askSecondOperator(ctx, by, { action: DELETE_MEMBER, member });
  if (requestId === null) await deleteMember(ctx, member.memberId);
  return { requestId };
}

/** NOTE: the operator log gets the member, not the address. */
export async function findAccount(ctx: AppContext, by: Actor, email: string): Promise<FoundMember | null> {
  const found = await findMemberByEmail(ctx, email);
  await logLook(ctx, by, "members find", found);
  const userId = found && (await findUserId(ctx.db, ctx.encryption, found.memberId));
  return userId ? findAnyMember(ctx, userId) : null;
}

export function grantAccount(
  ctx: AppContext,
  by: Actor,
  userId: string,
  { year, month, grantId }: { year: number; month: number; grantId: string },
): Promise<FoundMember | null> {
  const action = `members grant year=${year} month=${month} id=${grantId}`;
  return actOnMember(ctx, by, action, userId, (memberId) =>
    grantMembership(ctx, memberId, { year, month, grantId, source: "operator" }),
  );
}

/** Without `grantId` the newest gift. Returns "no gift" if there is none. */
export async function revokeAccountGrant(
  ctx: AppContext,
  by: Actor,
  userId: string,
  grantId: string | null,
): Promise<FoundMember | "no gift" | null> {
  let isRevoked = false;
  const action = `members revoke-grant${grantId === null ? "" : ` id=${grantId}`}`;
  const member = await actOnMember(ctx, by, action, userId, async (memberId) => {
    isRevoked = await revokeGift(ctx, memberId, grantId);
  });
  return member && !isRevoked ? "no gift" : member;
}

/** @param percentage null for `BROKERAGE_PERCENTAGE` */
export function setAccountPercentage(
  ctx: AppContext,
  by: Actor,
  userId: string,
  percentage: number | null,
): Promise<FoundMember | null> {
  return actOnMember(ctx, by, `members percentage ${percentage ?? "default"}`, userId, (memberId) =>
    setFeePercentage(ctx, memberId, percentage),
  );
}

/** Returns no text that the member wrote or received. */
export async function readAccount(ctx: AppContext, { memberId }: Pick<FoundMember, "memberId">) {
  const now = ctx.clock.now();
  return {
    paidUntil: await paidUntil(ctx, memberId),
    suspensionReason: await cases.readSuspensionReason(ctx, memberId),
    sessions: (await findOpenSessionsOf(ctx.db, memberId, now)).length,
    balance: await getBalance(ctx.db, memberId, now),
    feePercentage: await readFeePercentage(ctx, memberId),
    grants: await listGrants(ctx, memberId),
    orders: await listOrders(ctx, memberId),
    transfers: await listTransfers(ctx, memberId),
    reports: await cases.listCasesOf(ctx, memberId),
  };
}
