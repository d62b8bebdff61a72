import { FEW_BELOW } from "@alcove/contract/limits";

/** A figure of 1 to 9 could describe a person. */
export const FEW = `<${FEW_BELOW}`;

/** What happened on a day, and the sum that belongs to it, such as money. */
export interface Count {
  readonly count: number;
  readonly sum: number;
}

export interface Shown {
  readonly count: number | typeof FEW;
  readonly sum: number | typeof FEW;
}

const isFew = (count: number): boolean => count > 0 && count < FEW_BELOW;

const total = (counts: readonly Count[], of: keyof Count): number =>
  counts.reduce((sum, one) => sum + one[of], 0);

/**
 * Adds up days. The days with few are left out if they are few together: a sum less the days that are shown would reveal
 * them. So the error is at most nine.
 */
export function showSum(days: readonly Count[]): Shown {
  const hidden = days.filter(({ count }) => isFew(count));
  const areFew = isFew(total(hidden, "count"));
  const counted = areFew ? days.filter(({ count }) => !isFew(count)) : days;
  const count = total(counted, "count");
  if (count > 0) return { count, sum: total(counted, "sum") };
  return areFew ? { count: FEW, sum: FEW } : { count: 0, sum: 0 };
}

/**
 * The number of members on each day. It changes in steps of ten or more: the difference of two days would reveal who came
 * or left.
 */
export function showLevels(levels: readonly number[]): Shown["count"][] {
  let shown: Shown["count"] = 0;
  return levels.map((level) => {
    const isStep = shown === 0 || shown === FEW || level < FEW_BELOW || Math.abs(level - shown) >= FEW_BELOW;
    if (isStep) shown = isFew(level) ? FEW : level;
    return shown;
  });
}
