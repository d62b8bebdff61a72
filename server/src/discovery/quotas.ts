import { isPaid } from "../membership/index.ts";
import { dayEndIn, dayIn } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./quotas.sql.ts";

export function quotaDay(ctx: AppContext): string {
  return dayIn(ctx.config.dayTimeZone, ctx.clock.now());
}

export function nextQuotaDay(ctx: AppContext): Date {
  return dayEndIn(ctx.config.dayTimeZone, ctx.clock.now());
}

// Reads within the transaction, so that simultaneous likes never wait for a second connection.
export async function spendLike(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  if (!(await isPaid(ctx, memberId, tx))) return spendCard(tx, ctx, memberId);
  const limit = ctx.config.paidLikesPerDay;
  const isSpent = limit > 0 && (await rows.countLike(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("likes_used_up");
}

export function presentLikesLeft(
  { config }: AppContext,
  { isPaid, likesUsed }: { isPaid: boolean; likesUsed: number },
): { likes_left?: number } {
  return isPaid ? { likes_left: Math.max(0, config.paidLikesPerDay - likesUsed) } : {};
}

export async function readLikesUsed(ctx: AppContext, memberId: number): Promise<number> {
  return rows.readLikesUsed(ctx.db, memberId, quotaDay(ctx));
}

export async function spendPass(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  if (await isPaid(ctx, memberId, tx)) return false;
  await spendCard(tx, ctx, memberId);
  return true;
}

async function spendCard(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const limit = ctx.config.freeCardsPerDay;
  const isSpent = limit > 0 && (await rows.countCard(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("upgrade_required");
}
