import { paidUntil } from "../membership/index.ts";
import { dayEndIn, dayIn } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./quotas.sql.ts";

/** The calendar day in `DAY_TIME_ZONE`. */
export function quotaDay(ctx: AppContext): string {
  return dayIn(ctx.config.dayTimeZone, ctx.clock.now());
}

export function nextQuotaDay(ctx: AppContext): Date {
  return dayEndIn(ctx.config.dayTimeZone, ctx.clock.now());
}

export async function spendLike(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  if (!(await isPaid(tx, ctx, memberId))) return spendCard(tx, ctx, memberId);
  const limit = ctx.config.paidLikesPerDay;
  const isSpent = limit > 0 && (await rows.countLike(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("likes_used_up");
}

/** Returns whether a card was spent. */
export async function spendPass(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  if (await isPaid(tx, ctx, memberId)) return false;
  await spendCard(tx, ctx, memberId);
  return true;
}

async function spendCard(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const limit = ctx.config.freeCardsPerDay;
  const isSpent = limit > 0 && (await rows.countCard(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("upgrade_required");
}

/** Reads within the transaction, so that simultaneous likes never wait for a second connection. */
async function isPaid(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  const until = await paidUntil(tx, memberId);
  return until !== null && until > ctx.clock.now();
}
