import { scoreOfCandidate } from "./plan.ts";
import { hashOf } from "./mutual-filter.ts";
import type { Found } from "./search.sql.ts";

/** More waiting likes than these make somebody a crowd's favourite; the count need not go further. */
const CROWD_STEPS = [5, 20] as const;
export const MOST_WAITING_COUNTED = 20;
/** A step of crowd weighs as much as a step of distance. */
const CROWD_WEIGHT = 2;
/** Of each three cards two are of people who liked the viewer, while there are any; the first one always. */
const LIKERS_IN_A_ROW = 2;

interface Candidates {
  /** Those who liked the viewer and wait for an answer. */
  readonly likers: readonly Found[];
  /** Others who match; may name likers again. */
  readonly near: readonly Found[];
  /** How many likes wait for an answer of each, up to `MOST_WAITING_COUNTED`; none where it is not there. */
  readonly waiting: ReadonlyMap<number, number>;
}

/**
 * The order in which a viewer meets its candidates (docs/order.md): those who liked it early, then near and lately
 * active ones, those whom a crowd waits for after others. Equals come in an order of the viewer and the day, so that
 * nobody is always first, and the order says nothing of who is nearer.
 *
 * @param today days since 1970
 */
export function inOrder(
  viewerMemberId: number,
  today: number,
  { likers, near, waiting }: Candidates,
): number[] {
  const turn = (memberId: number) => hashOf(`${viewerMemberId},${memberId},${today}`);
  const score = ({ memberId, chordSquared, activeDay }: Found) =>
    scoreOfCandidate(chordSquared, activeDay, today) + CROWD_WEIGHT * crowdOf(waiting.get(memberId) ?? 0);
  const sorted = (found: readonly Found[]) =>
    found
      .map((one) => ({ memberId: one.memberId, score: score(one), turn: turn(one.memberId) }))
      .toSorted((a, b) => a.score - b.score || a.turn - b.turn)
      .map(({ memberId }) => memberId);

  const first = sorted(likers);
  const others = sorted(near).filter((memberId) => !first.includes(memberId));
  return interleave(first, others);
}

function crowdOf(waiting: number): number {
  return CROWD_STEPS.filter((step) => waiting >= step).length;
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
