import { type FilterSuggestion, widenings } from "@alcove/contract/discovery";
import { OPTIONS_PER_FETCH } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import type { AppContext } from "../platform/context.ts";
import type { Filter } from "../profiles/index.ts";
import { markOf } from "./mutual-filter.ts";
import { countCandidates } from "./search.ts";
import type { Viewer } from "./viewer.ts";

interface Advice {
  readonly suggestion: FilterSuggestion | null;
  /** Finding it out was dear: it is not to be done again at once. */
  readonly wasDear: boolean;
}

/** Least asked first; of those in a row the one that helps most, and of equals the first. */
const ROWS: readonly (readonly FilterSuggestion[])[] = [
  ["wider_distance", "wider_age"],
  ["wider_distance_and_age"],
  ["all_sexes"],
];

/**
 * Finds the one change of its filter that would help a viewer most to whom nobody can be shown.
 *
 * It tells no more than saving the changed filter and asking again would: the same search by the same rules, of
 * which only "nobody", "somebody" and "a whole fetch" is told apart.
 */
export async function suggest(ctx: AppContext, viewer: Viewer): Promise<Advice> {
  let wasDear = false;
  for (const row of ROWS) {
    let best: { suggestion: FilterSuggestion; help: number } | null = null;
    for (const suggestion of row) {
      const wider = { ...viewer, filter: widen(viewer.filter, suggestion) };
      if (markOf(wider) === markOf(viewer)) continue;
      const { found, isDear } = await countCandidates(ctx, wider, OPTIONS_PER_FETCH);
      wasDear ||= isDear;
      const help = found === OPTIONS_PER_FETCH ? 2 : Math.min(found, 1);
      if (help > (best?.help ?? 0)) best = { suggestion, help };
    }
    if (best) return { suggestion: best.suggestion, wasDear };
  }
  return { suggestion: null, wasDear };
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
