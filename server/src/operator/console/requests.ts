import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { approveRequest as approveCall, getRequests } from "@alcove/contract/console-requests";
import type { AppContext } from "../../platform/context.ts";
import { approveRequest, listRequests, rejectRequest } from "../requests.ts";
import type { Operator } from "./operators.ts";

type Decision = ParsedOf<typeof approveCall>;

export async function readRequests(
  ctx: AppContext,
  { operatorId }: Operator,
): Promise<ResponseOf<typeof getRequests>> {
  const requests = await listRequests(ctx, { operatorId, reason: null });
  return {
    requests: requests.map(({ userId, isOwn, isApproved, until, ...request }) =>
      Object.assign(request, {
        user_id: userId,
        until: until.toISOString(),
        is_own: isOwn,
        is_approved: isApproved,
      }),
    ),
  };
}

export const approve = (ctx: AppContext, { operatorId }: Operator, { id, reason }: Decision) =>
  approveRequest(ctx, { operatorId, reason }, id);

export const reject = (ctx: AppContext, { operatorId }: Operator, { id, reason }: Decision) =>
  rejectRequest(ctx, { operatorId, reason }, id);
