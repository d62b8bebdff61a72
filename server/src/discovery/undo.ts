import type { ResponseOf } from "@alcove/contract";
import type { undoPass as undoPassCall } from "@alcove/contract/discovery";
import { lockAndShare } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isBlockedEither } from "../safety/index.ts";
import { presentCandidate } from "./present.ts";
import { quotaDay } from "./quotas.ts";
import * as days from "./quotas.sql.ts";
import * as rows from "./undo.sql.ts";
import * as verdicts from "./verdicts.sql.ts";

/** Keeps what it takes to take a pass back, in the pass's own transaction. */
export async function rememberPass(
  tx: Tx,
  ctx: AppContext,
  { memberId, target, at, usedCard }: { memberId: number; target: number; at: Date; usedCard: boolean },
): Promise<void> {
  const day = quotaDay(ctx);
  const { hand } = await days.readDay(tx, memberId, day);
  const place = usedCard ? hand.memberIds.indexOf(target) : -1;
  const mark = hand.marks[place] ?? null;
  await rows.upsertLastPass(tx, {
    member_no: memberId,
    target,
    at,
    day,
    used_card: usedCard,
    hand_mark: mark,
  });
}

/**
 * Takes the last pass back: once, on its day, and only while no other verdict has come after it. Who was passed is
 * a candidate again, a like of theirs counts again, and the card that was used is the same card again: nobody else is
 * dealt for it. The other side hears of neither.
 */
export async function undoPass(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof undoPassCall>> {
  const last = await rows.readLastPass(ctx.db, me.memberId);
  if (!last || last.day !== quotaDay(ctx)) return { user: null };
  const people = await loadPeople(ctx, [me.memberId, last.target]);
  const [viewer, person] = [people.get(me.memberId), people.get(last.target)];
  if (!viewer || person?.accountStatus !== "active") return { user: null };

  const isBack = await ctx.db.transaction().execute((tx) => takeBack(tx, last));
  return { user: isBack ? presentCandidate(ctx, me, viewer, person) : null };
}

/** Of two at once the first takes the own row's lock, and the other finds nothing left to take back. */
async function takeBack(tx: Tx, last: rows.LastPass): Promise<boolean> {
  const { member_no: memberId, target, at, day } = last;
  const [isLocked, isShared] = await lockAndShare(tx, memberId, target);
  if (!isLocked) throw new ApiError("login_required");
  if (!isShared) return false;
  const now = await rows.readLastPass(tx, memberId);
  if (now?.target !== target || now.at.getTime() !== at.getTime()) return false;
  if (await isBlockedEither(tx, memberId, target)) return false;

  await rows.forgetLastPass(tx, memberId);
  if (!(await verdicts.deletePass(tx, memberId, target, at))) return false;
  const likedAt = await verdicts.readLikeTime(tx, target, memberId);
  if (likedAt) await verdicts.insertLikeReceived(tx, memberId, target, likedAt);
  if (last.used_card) await giveCardBack(tx, memberId, day, { target, mark: last.hand_mark });
  return true;
}

/** A card of the hand is the first of it again; the pass of somebody met elsewhere gives back the day's card alone. */
async function giveCardBack(
  tx: Tx,
  memberId: number,
  day: string,
  { target, mark }: { target: number; mark: number | null },
): Promise<void> {
  const { cards, hand } = await days.lockDay(tx, memberId, day);
  const others = hand.memberIds.flatMap((other, place) =>
    other === target ? [] : [[other, hand.marks[place]!] as const],
  );
  const held = mark === null ? others : [[target, mark] as const, ...others];
  await days.updateDay(tx, memberId, day, {
    cards: Math.max(0, cards - 1),
    hand: { memberIds: held.map(([other]) => other), marks: held.map(([, its]) => its) },
  });
}
