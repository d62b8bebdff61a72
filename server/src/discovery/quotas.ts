import type { Verdict } from "@alcove/contract/discovery";
import { NEW_FACES_PER_DAY } from "@alcove/contract/limits";
import { isPaid } from "../membership/index.ts";
import { DAY_MS, dayEndIn, dayIn, utcDay } from "../platform/clock.ts";
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

/** Passes count for at least `PASS_DAYS` days, until the end of a day. With 0 days none counts. */
export function passesSince({ clock, config }: AppContext): string {
  const days = config.passDays === 0 ? -1 : config.passDays;
  return utcDay(new Date(clock.now().getTime() - days * DAY_MS));
}

// Reads within the transaction, so that simultaneous likes never wait for a second connection.
export async function spendLike(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  if (!(await isPaid(ctx, memberId, tx))) return spendCard(tx, ctx, memberId);
  const limit = ctx.config.paidLikesPerDay;
  const isSpent = limit > 0 && (await rows.countLike(tx, memberId, quotaDay(ctx), limit));
  if (!isSpent) throw new ApiError("likes_used_up");
}

export async function findUsedUpQuota(
  ctx: AppContext,
  memberId: number,
  verdict: Verdict,
): Promise<"likes_used_up" | "upgrade_required" | null> {
  const { paidLikesPerDay, freeCardsPerDay } = ctx.config;
  const [hasPaid, used] = await Promise.all([
    isPaid(ctx, memberId),
    rows.readUsed(ctx.db, memberId, quotaDay(ctx)),
  ]);
  if (!hasPaid) return used.cards >= freeCardsPerDay ? "upgrade_required" : null;
  return verdict === "like" && used.likes >= paidLikesPerDay ? "likes_used_up" : null;
}

export async function countNewFaces(ctx: AppContext, memberId: number, wanted: number): Promise<number> {
  if (!ctx.config.hasRateLimits) return wanted;
  const day = quotaDay(ctx);
  for (let count = wanted; count > 0;) {
    if (await rows.countFaces(ctx.db, { memberId, day, count, limit: NEW_FACES_PER_DAY })) return count;
    const left = NEW_FACES_PER_DAY - (await rows.readFaces(ctx.db, memberId, day));
    count = Math.min(left, count);
  }
  return 0;
}

export function presentLikesLeft(
  { config }: AppContext,
  { isPaid, likesUsed }: { isPaid: boolean; likesUsed: number },
): { likes_left?: number } {
  return isPaid ? { likes_left: Math.max(0, config.paidLikesPerDay - likesUsed) } : {};
}

export async function readLikesUsed(ctx: AppContext, memberId: number): Promise<number> {
  return (await rows.readUsed(ctx.db, memberId, quotaDay(ctx))).likes;
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
