import { SEARCH_AGE, SEARCH_RANGE } from "./limits.ts";
import type { User } from "./users.ts";

const distance = { search_min_range: SEARCH_RANGE.min, search_max_range: SEARCH_RANGE.max };
const age = { search_min_age: SEARCH_AGE.min, search_max_age: SEARCH_AGE.max };

export const widenings = {
  wider_distance: distance,
  wider_age: age,
  wider_distance_and_age: { ...distance, ...age },
  all_sexes: { search_sex: "all" },
} as const satisfies Record<string, Partial<User>>;
export type FilterSuggestion = keyof typeof widenings;
export const filterSuggestions = Object.keys(widenings) as FilterSuggestion[];

/** Upper ends of the distance filter that widening offers, smallest first; then the whole range. */
export const WIDER_RANGES: readonly number[] = [25, 50, 100, 250, SEARCH_RANGE.max];
