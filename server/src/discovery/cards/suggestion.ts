import { type FilterSuggestion, WIDER_RANGES, widenings } from "@alcove/contract/suggestions";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import type { AppContext } from "../../platform/context.ts";
import type { Filter } from "../../profiles/index.ts";
import { fingerprintOf } from "../search/mutual-filter.ts";
import { findUnseen } from "../search/search.ts";
import type { Viewer } from "../search/viewer.ts";

export interface Suggestion {
  readonly change: FilterSuggestion;
  readonly maxRange: number | null;
}

interface SuggestionResult {
  readonly suggestion: Suggestion | null;
  readonly wasExpensive: boolean;
}

const GROUPS: readonly (readonly FilterSuggestion[])[] = [
  ["wider_distance", "wider_age"],
  ["wider_distance_and_age"],
  ["all_sexes"],
];

/** Reveals no more than saving the changed filter would: it distinguishes only none, some and a full fetch. */
export async function suggestFilterChange(ctx: AppContext, viewer: Viewer): Promise<SuggestionResult> {
  let wasExpensive = false;
  for (const group of GROUPS) {
    let best: { change: FilterSuggestion; help: number } | null = null;
    for (const change of group) {
      const wider = { ...viewer, filter: widen(viewer.filter, change) };
      if (fingerprintOf(wider) === fingerprintOf(viewer)) continue;
      const { memberIds, isExpensive } = await findUnseen(ctx, wider, OPTIONS_PER_FETCH);
      wasExpensive ||= isExpensive;
      const help = memberIds.length === OPTIONS_PER_FETCH ? 2 : Math.min(memberIds.length, 1);
      if (help > (best?.help ?? 0)) best = { change, help };
    }
    if (best) {
      const maxRange = wasExpensive ? null : await smallestRange(ctx, viewer, best.change);
      return { suggestion: { change: best.change, maxRange }, wasExpensive };
    }
  }
  return { suggestion: null, wasExpensive };
}

async function smallestRange(
  ctx: AppContext,
  viewer: Viewer,
  change: FilterSuggestion,
): Promise<number | null> {
  if (!("search_max_range" in widenings[change])) return null;
  const widest = widen(viewer.filter, change);
  for (const maxRange of WIDER_RANGES) {
    if (maxRange <= viewer.filter.maxRange) continue;
    const { memberIds } = await findUnseen(ctx, { ...viewer, filter: { ...widest, maxRange } }, 1);
    if (memberIds.length > 0) return maxRange;
  }
  return widest.maxRange;
}

function widen(filter: Filter, suggestion: FilterSuggestion): Filter {
  const to: Partial<User> = widenings[suggestion];
  return {
    sex: to.search_sex ?? filter.sex,
    unit: filter.unit,
    minRange: to.search_min_range ?? filter.minRange,
    maxRange: to.search_max_range ?? filter.maxRange,
    minAge: to.search_min_age ?? filter.minAge,
    maxAge: to.search_max_age ?? filter.maxAge,
  };
}
