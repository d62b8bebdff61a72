import { scoreOfCandidate } from "./plan.ts";
import { hashOf } from "./mutual-filter.ts";
import type { FoundMember } from "./search.sql.ts";

/** Members with so many unanswered likes rank a step lower. */
const POPULARITY_STEPS = [5, 20] as const;
export const MAX_WAITING_LIKES = 20;
const POPULARITY_WEIGHT = 2;
const LIKERS_IN_A_ROW = 2;

interface Candidates {
  readonly likers: readonly FoundMember[];
  readonly matching: readonly FoundMember[];
}

/**
 * Likers come early, then near and recently active members, popular ones later. Equal scores are shuffled per viewer
 * and day, so that the order hides the distance.
 */
export function rankCandidates(
  viewerMemberId: number,
  today: number,
  { likers, matching }: Candidates,
): number[] {
  const tieBreaker = (memberId: number) => hashOf(`${viewerMemberId},${memberId},${today}`);
  const score = ({ chordSquared, activeDay, waitingLikes }: FoundMember) =>
    scoreOfCandidate(chordSquared, activeDay, today) + POPULARITY_WEIGHT * popularityOf(waitingLikes);
  const sorted = (found: readonly FoundMember[]) =>
    found
      .map((one) => ({ memberId: one.memberId, score: score(one), tieBreaker: tieBreaker(one.memberId) }))
      .toSorted((a, b) => a.score - b.score || a.tieBreaker - b.tieBreaker)
      .map(({ memberId }) => memberId);

  const first = sorted(likers);
  const others = sorted(matching).filter((memberId) => !first.includes(memberId));
  return interleave(first, others);
}

function popularityOf(likes: number): number {
  return POPULARITY_STEPS.filter((step) => likes >= step).length;
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
