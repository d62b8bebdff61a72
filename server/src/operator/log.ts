import { OPERATOR_LOG_PAGE, readOperatorActions } from "../accounts/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { readOperatorNames } from "./console/operators.ts";
import { type Actor, logLook } from "./members.ts";

/**
 * @param subject null for the entries about all members
 * @param before the `no` of the last entry of the previous page
 */
export async function readLog(
  ctx: AppContext,
  by: Actor,
  { subject = null, before = null }: { subject?: MemberRef | null; before?: number | null },
) {
  await logLook(ctx, by, "log list", subject);
  const names = await readOperatorNames(ctx);
  const entries = await readOperatorActions(ctx, subject?.memberId ?? null, before);
  return {
    hasMore: entries.length === OPERATOR_LOG_PAGE,
    entries: entries.map(({ operatorId, ...entry }) =>
      Object.assign(entry, { operator: operatorId && (names.get(operatorId) ?? null) }),
    ),
  };
}
