import { logOperatorAction } from "../accounts/index.ts";
import { findMember } from "../members/find-member.ts";
import { findUserId } from "../members/user-ids.ts";
import { isSameMailbox } from "../members/email-addresses.ts";
import * as mailboxes from "../mailboxes/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Actor } from "./members.ts";
import { askSecondOperator, SET_EMAIL } from "./requests.ts";

export type OpenedRequest = mailboxes.ListedRequest & { readonly userId: string };

/** Oldest first. Callers show neither members nor proofs. */
export async function listEmailRequests(
  ctx: AppContext,
  { operatorId, reason }: Actor,
): Promise<mailboxes.ListedRequest[]> {
  await logOperatorAction(ctx, "members email-requests", null, reason, operatorId);
  return mailboxes.listMailboxRequests(ctx);
}

export async function openEmailRequest(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  id: string,
): Promise<OpenedRequest | null> {
  const found = (await mailboxes.listMailboxRequests(ctx)).find((one) => one.id === id);
  await logOperatorAction(ctx, "members email-request", found ?? null, reason, operatorId);
  const userId = found && (await findUserId(ctx.db, ctx.encryption, found.memberId));
  return found && userId ? { ...found, userId } : null;
}

export type SetEmailProblem = "unknown" | "no request" | "other address" | "not due";

/**
 * Sets the address that an open request names, once the request is due. `requestId` waits for another operator.
 *
 * @param email null for the address of the request
 */
export async function setAccountEmail(
  ctx: AppContext,
  by: Actor,
  userId: string,
  email: string | null,
): Promise<SetEmailProblem | { requestId: string | null }> {
  const member = await findMember(ctx, userId);
  await logOperatorAction(ctx, SET_EMAIL, member, by.reason, by.operatorId);
  if (!member) return "unknown";
  const request = await mailboxes.findMailboxRequest(ctx, member.memberId);
  if (!request) return "no request";
  if (email !== null && !isSameMailbox(ctx.encryption, request.email, email)) return "other address";
  if (!request.isDue) return "not due";
  const guarded = { action: SET_EMAIL, member, details: request.email };
  const requestId = await askSecondOperator(ctx, by, guarded);
  if (requestId === null && !(await mailboxes.handOver(ctx, member.memberId))) return "no request";
  return { requestId };
}

export async function rejectEmailRequest(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  userId: string,
): Promise<boolean> {
  const member = await findMember(ctx, userId);
  await logOperatorAction(ctx, "members reject-email", member, reason, operatorId);
  return member !== null && mailboxes.rejectRequest(ctx, member.memberId);
}
