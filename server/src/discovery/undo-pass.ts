import type { ResponseOf } from "@alcove/contract";
import type { undoPass as undoPassCall } from "@alcove/contract/discovery";
import { lockAndShare } from "../members/locks.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isHidden } from "../safety/index.ts";
import { lockQuotaDay, readQuotaDay, updateQuotaDay } from "./cards/daily-cards.sql.ts";
import * as rows from "./last-passes.sql.ts";
import * as likes from "./likes.sql.ts";
import { presentCandidate } from "./present.ts";
import { quotaDay } from "./quotas.ts";
import { relationOf } from "./relation.ts";
import * as verdicts from "./verdicts.sql.ts";

export async function storeLastPass(
  tx: Tx,
  ctx: AppContext,
  pass: { memberId: number; target: number; sequenceNo: number; usedCard: boolean },
): Promise<void> {
  const { memberId, target, sequenceNo, usedCard } = pass;
  const day = quotaDay(ctx);
  const { dailyCards } = await readQuotaDay(tx, memberId, day);
  const card = usedCard ? dailyCards.find((one) => one.memberId === target) : undefined;
  await rows.upsertLastPass(tx, {
    member_no: memberId,
    target,
    sequence_no: sequenceNo,
    day,
    used_card: usedCard,
    card_fingerprint: card?.fingerprint ?? null,
  });
}

/** Works once, on the same day, if no other verdict followed. */
export async function undoPass(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof undoPassCall>> {
  const last = await rows.readLastPass(ctx.db, me.memberId);
  if (!last || last.day !== quotaDay(ctx)) return { user: null };
  const people = await loadPeople(ctx, [me.memberId, last.target]);
  const [viewer, person] = [people.get(me.memberId), people.get(last.target)];
  if (!viewer || person?.isSuspended !== false) return { user: null };

  const isUndone = await ctx.db.transaction().execute((tx) => revertPass(tx, last));
  if (!isUndone) return { user: null };
  const { relation } = await relationOf(ctx, viewer, last.target);
  return { user: presentCandidate(ctx, me, viewer, person, relation) };
}

/** Reads the pass again under the member's lock: only the first of two requests reverts it. */
async function revertPass(tx: Tx, last: rows.LastPass): Promise<boolean> {
  const { member_no: memberId, target, sequence_no, day } = last;
  const [isLocked, isShared] = await lockAndShare(tx, memberId, target);
  if (!isLocked) throw new ApiError("login_required");
  if (!isShared) return false;
  const current = await rows.readLastPass(tx, memberId);
  if (current?.target !== target || current.sequence_no !== sequence_no) return false;
  if (await isHidden(tx, memberId, target)) return false;

  await rows.deleteLastPass(tx, memberId);
  if (!(await verdicts.deletePass(tx, memberId, target, sequence_no))) return false;
  const likeNo = await likes.findLike(tx, target, memberId);
  if (likeNo !== null) await likes.insertLikeReceived(tx, memberId, target, likeNo);
  if (last.used_card) await returnCard(tx, memberId, day, { target, fingerprint: last.card_fingerprint });
  return true;
}

async function returnCard(
  tx: Tx,
  memberId: number,
  day: string,
  { target, fingerprint }: { target: number; fingerprint: number | null },
): Promise<void> {
  const { cardsUsed, dailyCards } = await lockQuotaDay(tx, memberId, day);
  const others = dailyCards.filter((card) => card.memberId !== target);
  await updateQuotaDay(tx, memberId, day, {
    cardsUsed: Math.max(0, cardsUsed - 1),
    dailyCards: fingerprint === null ? others : [{ memberId: target, fingerprint }, ...others],
  });
}
