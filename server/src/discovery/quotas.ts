import { paidUntil } from "../membership/index.ts";
import { dayEndIn, dayIn } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./quotas.sql.ts";

/** The calendar day that quotas are counted by. */
export function quotaDay(ctx: AppContext): string {
  return dayIn(ctx.config.dayTimeZone, ctx.clock.now());
}

/** When the next one begins. */
export function nextQuotaDay(ctx: AppContext): Date {
  return dayEndIn(ctx.config.dayTimeZone, ctx.clock.now());
}

/** Spends what a like costs: one of the day's likes of a paid member, one of the day's cards of a free one. */
export async function spendLike(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  if (!(await hasPaid(tx, ctx, memberId))) return spendCard(tx, ctx, memberId);
  const limit = ctx.config.paidLikesPerDay;
  const isSpent = limit > 0 && (await rows.countLike(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("likes_used_up");
}

/** Spends what a pass costs: nothing of a paid member, one of the day's cards of a free one. Answers whether it was a card. */
export async function spendPass(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  if (await hasPaid(tx, ctx, memberId)) return false;
  await spendCard(tx, ctx, memberId);
  return true;
}

async function spendCard(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const limit = ctx.config.freeCardsPerDay;
  const isSpent = limit > 0 && (await rows.countCard(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("upgrade_required");
}

/** Within the transaction, so that a crowd of likes never waits for a second connection. */
async function hasPaid(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  const until = await paidUntil(tx, memberId);
  return until !== null && until > ctx.clock.now();
}
