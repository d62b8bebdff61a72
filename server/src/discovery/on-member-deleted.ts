import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps } from "../platform/context.ts";
import { deleteViewerEverywhere, deleteViewersOf } from "./clear-viewers.sql.ts";
import { deleteDeck, deleteDecksBefore, removeFromDecks } from "./deck.sql.ts";
import { unlist } from "./search-index.ts";
import { tellLost } from "./matches.ts";
import { deleteMatchesOf } from "./matches.sql.ts";
import { deleteDays, deleteDaysBefore, removeFromHands } from "./quotas.sql.ts";
import { deletePassesOf, forgetLastPass } from "./undo.sql.ts";
import { deleteVerdictsAbout, deleteVerdictsOf } from "./verdicts.sql.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    /** Removes what others had said about a member that is gone, and it from where it waited to be shown. */
    forget_verdicts: { no: number };
    /** Forgets the days and decks that nobody asks for any more. */
    sweep_days: unknown;
  }
}

/** Long after the last deck or hand of a day is used, in whatever time zone the day is counted. */
const KEPT_DAYS = 3;

/** Removes all that discovery keeps of a member that is being deleted; afterwards its friends are told. */
export async function forgetMember(
  tx: Tx,
  deps: Deps,
  member: { no: number; userId: string },
): Promise<() => void> {
  const { no } = member;
  await unlist(tx, no);
  await deleteVerdictsOf(tx, no);
  const friends = await deleteMatchesOf(tx, no);
  await deleteViewersOf(tx, no);
  await deleteViewerEverywhere(tx, no, friends);
  await forgetLastPass(tx, no);
  await deleteDays(tx, no);
  await deleteDeck(tx, no);
  await deps.jobs.add(tx, "forget_verdicts", { no });
  return () => friends.forEach((friend) => tellLost(deps, friend, member));
}

/** Removes what members say about somebody who is gone, and the places where it waited to be shown. */
export async function forgetAbout({ db }: Deps, no: number): Promise<void> {
  await deleteVerdictsAbout(db, no);
  await deletePassesOf(db, no);
  await removeFromDecks(db, no);
  await removeFromHands(db, no);
}

/** Forgets days that are over and decks that are too old to be used. */
export async function sweepDays({ db, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
  await deleteDaysBefore(db, utcDay(before));
  await deleteDecksBefore(db, before);
}
