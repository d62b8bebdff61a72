import { paidUntil } from "../membership/index.ts";
import { dayEndIn, dayIn } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import * as rows from "./quotas.sql.ts";

/** The calendar day that quotas are counted by. */
export function quotaDay(deps: Deps): string {
  return dayIn(deps.settings.dayTimeZone, deps.clock.now());
}

/** When the next one begins. */
export function nextQuotaDay(deps: Deps): Date {
  return dayEndIn(deps.settings.dayTimeZone, deps.clock.now());
}

/** Spends what a like costs: one of the day's likes of a paid member, one of the day's cards of a free one. */
export async function spendLike(tx: Tx, deps: Deps, no: number): Promise<void> {
  if (!(await hasPaid(tx, deps, no))) return spendCard(tx, deps, no);
  const limit = deps.settings.paidLikesPerDay;
  const isSpent = limit > 0 && (await rows.countLike(tx, no, quotaDay(deps), limit));
  if (!isSpent) throw refuse("likes_used_up");
}

/** Spends what a pass costs: nothing of a paid member, one of the day's cards of a free one. Answers whether it was a card. */
export async function spendPass(tx: Tx, deps: Deps, no: number): Promise<boolean> {
  if (await hasPaid(tx, deps, no)) return false;
  await spendCard(tx, deps, no);
  return true;
}

async function spendCard(tx: Tx, deps: Deps, no: number): Promise<void> {
  const limit = deps.settings.freeCardsPerDay;
  const isSpent = limit > 0 && (await rows.countCard(tx, no, quotaDay(deps), limit));
  if (!isSpent) throw refuse("upgrade_required");
}

/** Within the transaction, so that a crowd of likes never waits for a second connection. */
async function hasPaid(tx: Tx, deps: Deps, no: number): Promise<boolean> {
  const until = await paidUntil(tx, no);
  return until !== null && until > deps.clock.now();
}
