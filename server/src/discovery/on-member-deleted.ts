import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { deleteViewerEverywhere, deleteViewersOf } from "./clear-viewers.sql.ts";
import { deleteDeck, deleteDecksBefore, removeFromDecks } from "./deck.sql.ts";
import { unlist } from "./search-index.ts";
import { tellLost } from "./matches.ts";
import { deleteMatchesOf } from "./matches.sql.ts";
import { deleteDays, deleteDaysBefore, removeFromHands } from "./quotas.sql.ts";
import { deletePassesOf, forgetLastPass } from "./undo.sql.ts";
import { deleteVerdictsAbout, deleteVerdictsOf } from "./verdicts.sql.ts";

/** Long after the last deck or hand of a day is used, in whatever time zone the day is counted. */
const KEPT_DAYS = 3;

/** Removes all that discovery keeps of a member that is being deleted; afterwards its friends are told. */
export async function forgetMember(
  tx: Tx,
  ctx: AppContext,
  member: { memberId: number; userId: string },
): Promise<() => void> {
  const { memberId } = member;
  await unlist(tx, memberId);
  await deleteVerdictsOf(tx, memberId);
  const friends = await deleteMatchesOf(tx, memberId);
  await deleteViewersOf(tx, memberId);
  await deleteViewerEverywhere(tx, memberId, friends);
  await forgetLastPass(tx, memberId);
  await deleteDays(tx, memberId);
  await deleteDeck(tx, memberId);
  await ctx.jobs.add(tx, "forget_verdicts", { memberId });
  return () => friends.forEach((friend) => tellLost(ctx, friend, member));
}

/** Removes what members say about somebody who is gone, and the places where it waited to be shown. */
export async function forgetAbout({ db }: AppContext, memberId: number): Promise<void> {
  await deleteVerdictsAbout(db, memberId);
  await deletePassesOf(db, memberId);
  await removeFromDecks(db, memberId);
  await removeFromHands(db, memberId);
}

/** Forgets days that are over and decks that are too old to be used. */
export async function sweepDays({ db, clock }: AppContext): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
  await deleteDaysBefore(db, utcDay(before));
  await deleteDecksBefore(db, before);
}
