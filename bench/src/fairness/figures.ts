import { quantile } from "../stats.ts";
import type { Resident } from "./city.ts";
import type { Shown } from "./orders.ts";

/** Numbers by name. Robots count neither as members nor as likers. */
export function figuresOf(residents: readonly Resident[], shown: readonly Shown[], days: number) {
  const honest = residents.filter(({ robot }) => robot === null);
  const liked = shown.filter((s) => s.liked && s.viewer.robot === null && s.candidate.robot === null);
  const dayOfLike = new Map(liked.map((s) => [`${s.viewer.memberId} ${s.candidate.memberId}`, s.day]));
  const firstMatch = new Map<number, number>();
  for (const { viewer, candidate, day } of liked) {
    const back = dayOfLike.get(`${candidate.memberId} ${viewer.memberId}`);
    if (back === undefined) continue;
    const matchedOn = Math.max(day, back);
    firstMatch.set(viewer.memberId, Math.min(firstMatch.get(viewer.memberId) ?? Infinity, matchedOn));
  }
  const matched = (some: readonly Resident[], before: number) =>
    percent(some, ({ memberId }) => (firstMatch.get(memberId) ?? Infinity) < before);
  const isSex = (sex: Resident["sex"]) => honest.filter((resident) => resident.sex === sex);

  const verdicts = new Set(shown.map((s) => `${s.viewer.memberId} ${s.candidate.memberId}`));
  const isAnswered = ({ viewer, candidate }: Shown) =>
    verdicts.has(`${candidate.memberId} ${viewer.memberId}`);
  const existing = honest.filter(({ joined }) => joined < 0);
  const impressions = countsOf(shown);
  const likes = countsOf(liked);
  const gaps = longestGaps(honest, shown, days, (_, next) => next);
  const cardsSeen = Map.groupBy(shown, ({ viewer }) => viewer.memberId);
  const gapsHere = longestGaps(honest, shown, days, (memberId, next) =>
    Math.max(0, ...(cardsSeen.get(memberId) ?? []).flatMap(({ day }) => (day <= next ? day : []))),
  );

  return {
    "members with a match after 14 days, %": matched(honest, 14),
    "women, %": matched(isSex("female"), 14),
    "men, %": matched(isSex("male"), 14),
    ...(days > 14 && {
      [`members with a match after ${days} days, %`]: matched(honest, days),
      [`women after ${days} days, %`]: matched(isSex("female"), days),
      [`men after ${days} days, %`]: matched(isSex("male"), days),
    }),
    "likes with a verdict in return, %": percent(liked, isAnswered),
    "Gini of impressions of women": gini(numbersOf(existing, impressions, "female")),
    "Gini of impressions of men": gini(numbersOf(existing, impressions, "male")),
    "Gini of likes received by women": gini(numbersOf(existing, likes, "female")),
    "Gini of likes received by men": gini(numbersOf(existing, likes, "male")),
    "unseen for more than 3 days, %": percent(gaps, (gap) => gap > 3),
    "longest days unseen, 95 of 100": quantile(gaps, 0.95),
    "longest days unseen": Math.max(...gaps),
    "unseen for more than 3 days until a visit, %": percent(gapsHere, (gap) => gap > 3),
    "longest days unseen until a visit": Math.max(...gapsHere),
  } as const satisfies Record<string, number>;
}

function countsOf(shown: readonly Shown[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { candidate } of shown)
    counts.set(candidate.memberId, (counts.get(candidate.memberId) ?? 0) + 1);
  return counts;
}

function numbersOf(some: readonly Resident[], counts: ReadonlyMap<number, number>, sex: Resident["sex"]) {
  return some.filter((resident) => resident.sex === sex).map(({ memberId }) => counts.get(memberId) ?? 0);
}

/** The most days between two impressions of each member, also before the first and after the last one. */
function longestGaps(
  residents: readonly Resident[],
  shown: readonly Shown[],
  days: number,
  endOf: (memberId: number, next: number) => number,
): number[] {
  const seenOn = Map.groupBy(shown, ({ candidate }) => candidate.memberId);
  return residents.map(({ memberId, joined }) => {
    const start = Math.max(joined, 0);
    const on = (seenOn.get(memberId) ?? []).map(({ day }) => day).toSorted((a, b) => a - b);
    const marks = [start, ...on, days - 1];
    return Math.max(0, ...marks.slice(1).map((day, i) => endOf(memberId, day) - marks[i]!));
  });
}

function percent<T>(some: readonly T[], has: (one: T) => boolean): number {
  return (100 * some.filter(has).length) / some.length;
}

/** The Gini coefficient: 0 is equal, 1 is one member with everything. */
function gini(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  const weighted = sum(sorted.map((value, i) => value * (2 * (i + 1) - sorted.length - 1)));
  return weighted / (sorted.length * sum(sorted));
}
