import type { ResponseOf } from "@alcove/contract";
import type { undoPass as undoPassCall } from "@alcove/contract/discovery";
import { lockAndShare } from "../members/locks.ts";
import { isPaid } from "../membership/index.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isHidden, isHiddenFrom } from "../safety/index.ts";
import {
  bringCardBack,
  insertQuotaDay,
  lockQuotaDay,
  readQuotaDay,
  updateQuotaDay,
} from "./cards/daily-cards.sql.ts";
import * as rows from "./last-verdicts.sql.ts";
import * as likes from "./likes.sql.ts";
import { areMatched } from "./matches/matches.sql.ts";
import { isCardPassedYesterday } from "./passed-yesterday.ts";
import { presentCandidate } from "./present.ts";
import { readCardDay } from "./quotas.ts";
import { relationOf } from "./relation.ts";
import * as verdicts from "./verdicts.sql.ts";

export async function storeLastVerdict(
  tx: Tx,
  ctx: AppContext,
  verdict: {
    memberId: number;
    target: number;
    liked: boolean;
    sequenceNo: number;
    usedCard: boolean;
    keepsQuota: boolean;
  },
): Promise<void> {
  const { memberId, target, liked, sequenceNo, usedCard, keepsQuota } = verdict;
  const { start } = await readCardDay(tx, ctx, memberId);
  const { dailyCards } = await readQuotaDay(tx, memberId, start);
  const card = dailyCards.find((one) => one.memberId === target);
  await rows.upsertLastVerdict(tx, {
    member_no: memberId,
    target,
    liked,
    sequence_no: sequenceNo,
    day_start: start,
    used_card: usedCard,
    card_fingerprint: card?.fingerprint ?? null,
    keeps_quota: keepsQuota,
  });
}

type Pair = { memberId: number; target: number };

/** By an undone like of today. */
export const isPaidFor = async (db: Db, ctx: AppContext, pair: Pair): Promise<boolean> =>
  isLastOfToday(db, ctx, pair, ({ is_undone }) => is_undone);

/** Whether a verdict of today on this member used quota that an undo has not returned. */
export const holdsQuota = async (db: Db, ctx: AppContext, pair: Pair): Promise<boolean> =>
  isLastOfToday(db, ctx, pair, ({ used_card, keeps_quota }) => used_card || keeps_quota);

async function isLastOfToday(
  db: Db,
  ctx: AppContext,
  { memberId, target }: Pair,
  isMeant: (last: rows.LastVerdict) => boolean,
): Promise<boolean> {
  const last = await rows.readLastVerdict(db, memberId);
  if (last?.target !== target || !isMeant(last)) return false;
  return isOfDay(last, (await readCardDay(db, ctx, memberId)).start);
}

function isOfDay({ day_start }: rows.LastVerdict, dayStart: Date): boolean {
  return day_start.getTime() === dayStart.getTime();
}

export async function undo(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof undoPassCall>> {
  const last = await rows.readLastVerdict(ctx.db, me.memberId);
  if (!last || last.is_undone) return { user: null };
  const { start } = await readCardDay(ctx.db, ctx, me.memberId);
  if (!isOfDay(last, start) && !isCardPassedYesterday(last, start)) return { user: null };
  const people = await loadPeople(ctx, [me.memberId, last.target]);
  const [viewer, person] = [people.get(me.memberId), people.get(last.target)];
  if (!viewer || person?.isSuspended !== false) return { user: null };
  if (await isHiddenFrom(ctx, me.memberId, last.target)) return { user: null };

  const isUndone = await ctx.db.transaction().execute((tx) => revert(tx, ctx, last, start));
  if (!isUndone) return { user: null };
  const { relation } = await relationOf(ctx, viewer, last.target);
  return { user: presentCandidate(ctx, me, viewer, person, relation) };
}

/** Reads the verdict again under the lock: only the first of two requests reverts it. */
async function revert(tx: Tx, ctx: AppContext, last: rows.LastVerdict, dayStart: Date): Promise<boolean> {
  const { member_no: memberId, target, sequence_no } = last;
  const [isLocked, isShared] = await lockAndShare(tx, memberId, target);
  if (!isLocked) throw new ApiError("login_required");
  if (!isShared) return false;
  const current = await rows.readLastVerdict(tx, memberId);
  if (current?.target !== target || current.sequence_no !== sequence_no || current.is_undone) return false;
  if ((await isHidden(tx, memberId, target)) || (await areMatched(tx, memberId, target))) return false;
  const isOfToday = isOfDay(last, dayStart);
  if (!isOfToday && !(await canReturn(tx, ctx, last, dayStart))) return false;

  if (isOfToday && last.keeps_quota) await rows.markUndone(tx, memberId);
  else await rows.deleteLastVerdict(tx, memberId);
  if (!(await verdicts.deleteVerdict(tx, last))) return false;
  if (last.liked) {
    await verdicts.deleteLikeReceived(tx, target, memberId);
    await ctx.jobs.add(tx, "count_order_inputs", { memberIds: [target] });
  }
  const likeNo = await likes.findLike(tx, target, memberId);
  if (likeNo !== null) await likes.insertLikeReceived(tx, memberId, target, likeNo);
  const card = { memberId: target, fingerprint: last.card_fingerprint! };
  if (!isOfToday) await bringCardBack(tx, memberId, dayStart, card);
  else if (last.used_card)
    await returnCard(tx, memberId, dayStart, { target, fingerprint: last.card_fingerprint });
  return true;
}

/** Locks today's cards. */
async function canReturn(
  tx: Tx,
  ctx: AppContext,
  { member_no, target, sequence_no }: rows.LastVerdict,
  dayStart: Date,
): Promise<boolean> {
  if (await isPaid(ctx, member_no, tx)) return false;
  if (!(await verdicts.hasPass(tx, { actor: member_no, target, sequence_no }))) return false;
  await insertQuotaDay(tx, member_no, dayStart, await readQuotaDay(tx, member_no, dayStart));
  const { cardsUsed } = await lockQuotaDay(tx, member_no, dayStart);
  return cardsUsed === 0 && ctx.config.freeCardsPerDay > 0;
}

async function returnCard(
  tx: Tx,
  memberId: number,
  dayStart: Date,
  { target, fingerprint }: { target: number; fingerprint: number | null },
): Promise<void> {
  const { cardsUsed, dailyCards } = await lockQuotaDay(tx, memberId, dayStart);
  const others = dailyCards.filter((card) => card.memberId !== target);
  await updateQuotaDay(tx, memberId, dayStart, {
    cardsUsed: Math.max(0, cardsUsed - 1),
    dailyCards: fingerprint === null ? others : [{ memberId: target, fingerprint }, ...others],
  });
}
