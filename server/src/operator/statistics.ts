import type { Period } from "@alcove/contract/console-statistics";
import { logOperatorAction } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import * as statistics from "../statistics/index.ts";
import type { Actor } from "./members.ts";

/** Logged, because repeated looks at a running day show when something happens. */
export async function readStatistics(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  wanted: statistics.Wanted,
): Promise<Period[] | null> {
  await logOperatorAction(ctx, `stats by=${wanted.by}`, null, reason, operatorId);
  return statistics.readStatistics(ctx, wanted);
}
