import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  decideMailboxRequest,
  getMailboxRequests,
  openMailboxRequest,
} from "@alcove/contract/console-mailboxes";
import type { ListedRequest } from "../../mailboxes/index.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { listEmailRequests, openEmailRequest, rejectEmailRequest, setAccountEmail } from "../mailboxes.ts";
import type { Operator } from "./operators.ts";

const waiting = ({ id, askedOn, dueOn, told, isDue }: ListedRequest) => ({
  id,
  asked_on: askedOn,
  due_on: dueOn,
  told,
  is_due: isDue,
});

export async function readMailboxRequests(
  ctx: AppContext,
  { operatorId }: Operator,
): Promise<ResponseOf<typeof getMailboxRequests>> {
  const requests = await listEmailRequests(ctx, { operatorId, reason: null });
  return { requests: requests.map(waiting) };
}

export async function openRequest(
  ctx: AppContext,
  { operatorId }: Operator,
  id: string,
): Promise<ResponseOf<typeof openMailboxRequest>> {
  const found = await openEmailRequest(ctx, { operatorId, reason: null }, id);
  if (!found) throw new ApiError("not_found");
  const { userId: user_id, email, order, text } = found;
  return { request: { ...waiting(found), user_id, email, order, text } };
}

export async function decideRequest(
  ctx: AppContext,
  { operatorId }: Operator,
  { id, outcome, reason }: ParsedOf<typeof decideMailboxRequest>,
): Promise<ResponseOf<typeof decideMailboxRequest>> {
  const by = { operatorId, reason };
  const found = await openEmailRequest(ctx, by, id);
  if (!found) throw new ApiError("not_found");
  if (outcome === "reject") {
    if (!(await rejectEmailRequest(ctx, by, found.userId))) throw new ApiError("not_found");
    return { outcome: "rejected" };
  }
  const set = await setAccountEmail(ctx, by, found.userId, found.email);
  if (typeof set === "string") throw new ApiError(set === "not due" ? "conflict" : "not_found");
  return { outcome: set.requestId === null ? "set" : "waiting" };
}
