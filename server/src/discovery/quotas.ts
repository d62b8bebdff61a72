import type { Verdict } from "@alcove/contract/discovery";
import { NEW_FACES_PER_DAY } from "@alcove/contract/limits";
import { isPaid } from "../membership/index.ts";
import { DAY_MS, dayFrom, dayIn, type TimeSpan, utcDay } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { cardDay, readCardDays } from "../profiles/index.ts";
import * as rows from "./quotas.sql.ts";

export function quotaDay(ctx: AppContext): string {
  return dayIn(ctx.config.dayTimeZone, ctx.clock.now());
}

/** Of paid members' likes and new faces. */
export function paidDay({ config, clock }: AppContext): TimeSpan {
  return dayFrom(config.dayTimeZone, 0, clock.now());
}

export async function readCardDay(db: Db, ctx: AppContext, memberId: number): Promise<TimeSpan> {
  const days = await readCardDays(db, memberId);
  if (!days) throw new ApiError("login_required"); // deleted since the request began
  return cardDay(ctx, days);
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
  const isSpent = limit > 0 && (await rows.countLike(tx, memberId, paidDay(ctx).start, limit));
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
    rows.readUsed(ctx.db, memberId, { paidDayStart: paidDay(ctx).start, freeCardsPerDay }),
  ]);
  if (!used) throw new ApiError("login_required"); // deleted since the request began
  if (hasPaid) return verdict === "like" && used.likes >= paidLikesPerDay ? "likes_used_up" : null;
  const areCardsUsed = used.usedCardDay?.getTime() === cardDay(ctx, used).start.getTime();
  return areCardsUsed ? "upgrade_required" : null;
}

export async function countNewFaces(ctx: AppContext, memberId: number, wanted: number): Promise<number> {
  if (!ctx.config.hasRateLimits) return wanted;
  const dayStart = paidDay(ctx).start;
  for (let count = wanted; count > 0;) {
    if (await rows.countFaces(ctx.db, { memberId, dayStart, count, limit: NEW_FACES_PER_DAY })) return count;
    const left = NEW_FACES_PER_DAY - (await rows.readFaces(ctx.db, memberId, dayStart));
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
  return (await rows.readCounts(ctx.db, memberId, paidDay(ctx).start)).likes;
}

export async function spendPass(tx: Tx, ctx: AppContext, memberId: number): Promise<boolean> {
  if (await isPaid(ctx, memberId, tx)) return false;
  await spendCard(tx, ctx, memberId);
  return true;
}

async function spendCard(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const limit = ctx.config.freeCardsPerDay;
  const { start } = await readCardDay(tx, ctx, memberId);
  const isSpent = limit > 0 && (await rows.countCard(tx, memberId, start, limit));
  if (!isSpent) throw new ApiError("upgrade_required");
}
