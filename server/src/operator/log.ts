import { logOperatorAction, OPERATOR_LOG_PAGE, readOperatorActions } from "../accounts/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { readOperatorNames } from "./console/operators.ts";
import type { Actor } from "./members.ts";

/**
 * @param subject null for the entries about all members
 * @param before the `no` of the last entry of the previous page
 */
export async function readLog(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  { subject = null, before = null }: { subject?: MemberRef | null; before?: number | null },
) {
  await logOperatorAction(ctx, "log list", subject, reason, operatorId);
  const names = await readOperatorNames(ctx);
  const entries = await readOperatorActions(ctx, subject?.memberId ?? null, before);
  return {
    hasMore: entries.length === OPERATOR_LOG_PAGE,
    entries: entries.map(({ operatorId: by, ...entry }) =>
      Object.assign(entry, { operator: by && (names.get(by) ?? null) }),
    ),
  };
}
