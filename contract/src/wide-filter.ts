import { ADULT_AGE } from "./limits.ts";
import type { RangeUnit } from "./users.ts";

/** A notification about somebody new fits many members: it needs a filter of at least this span. */
export const WIDE_FILTER = { years: 10, km: 50 } as const;

export const KM_IN = { km: 1, mile: 1.609344 } as const satisfies Record<RangeUnit, number>;

/** Nobody is younger than the minimum age, so ages below it add nothing. */
export function isWideFilter(filter: {
  readonly search_range_unit: RangeUnit;
  readonly search_min_range: number;
  readonly search_max_range: number;
  readonly search_min_age: number;
  readonly search_max_age: number;
}): boolean {
  const years = filter.search_max_age - Math.max(ADULT_AGE, filter.search_min_age);
  const km = (filter.search_max_range - filter.search_min_range) * KM_IN[filter.search_range_unit];
  return years >= WIDE_FILTER.years && km >= WIDE_FILTER.km;
}
