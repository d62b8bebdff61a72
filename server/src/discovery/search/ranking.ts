import type { OrderInputs } from "./chances.ts";
import { worthOf } from "./chances.ts";
import { hashOf } from "./mutual-filter.ts";
import { scoreOfCandidate } from "./plan.ts";
import type { FoundMember } from "./search.sql.ts";

/** A step of distance, which scores 2, weighs as much as a chance that is a third smaller. */
const SCORE_WEIGHT = 0.25;
const LIKERS_IN_A_ROW = 2;
const STEPS_OF_A_POWER = 2;

interface Candidates {
  readonly likers: readonly FoundMember[];
  readonly matching: readonly FoundMember[];
}

interface Viewing {
  readonly memberId: number;
  readonly freshMatches: number;
}

/**
 * Likers come early, then cards of the largest worth (`worthOf`), near and recently active members first. Half powers of
 * two, shuffled per viewer and day, hide distances and numbers of likes.
 */
export function rankCandidates(viewer: Viewing, today: number, { likers, matching }: Candidates): number[] {
  const sorted = (found: readonly FoundMember[], likesViewer: boolean) =>
    found
      .map((one) => ({
        memberId: one.memberId,
        rank: rankOf(one, { today, viewer, likesViewer }),
        tieBreaker: hashOf(`${viewer.memberId},${one.memberId},${today}`),
      }))
      .toSorted((a, b) => b.rank - a.rank || a.tieBreaker - b.tieBreaker)
      .map(({ memberId }) => memberId);

  const first = sorted(likers, true);
  const others = sorted(matching, false).filter((memberId) => !first.includes(memberId));
  return interleave(first, others);
}

function rankOf(
  one: FoundMember & OrderInputs,
  { today, viewer, likesViewer }: { today: number; viewer: Viewing; likesViewer: boolean },
): number {
  const worth = worthOf(one, { today, viewerFreshMatches: viewer.freshMatches, likesViewer });
  const score = scoreOfCandidate(one.chordSquared, one.activeDay, today);
  return Math.round(STEPS_OF_A_POWER * (worth - SCORE_WEIGHT * score));
}

function interleave(likers: readonly number[], others: readonly number[]): number[] {
  const all: number[] = [];
  for (let liker = 0, other = 0; liker < likers.length || other < others.length;) {
    all.push(...likers.slice(liker, liker + LIKERS_IN_A_ROW), ...others.slice(other, other + 1));
    liker += LIKERS_IN_A_ROW;
    other += 1;
  }
  return all;
}
