import type { ParsedOf } from "@alcove/contract";
import { SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { saveFilter as saveFilterCall } from "@alcove/contract/profiles";
import { runsUpwards } from "@alcove/contract/users";
import type { Deps, MemberRef } from "../platform/deps.ts";
import { refuse, refuseFields } from "../platform/refuse.ts";
import * as rows from "./profiles.sql.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A member looks for somebody else now; the search row follows. */
    filter_saved: { no: number };
  }
}

type Change = ParsedOf<typeof saveFilterCall>;
type Ranges = Record<"search_min_range" | "search_max_range" | "search_min_age" | "search_max_age", number>;

const defaultRanges: Ranges = {
  search_min_range: SEARCH_RANGE.defaultMin,
  search_max_range: SEARCH_RANGE.defaultMax,
  search_min_age: SEARCH_AGE.defaultMin,
  search_max_age: SEARCH_AGE.defaultMax,
};

/**
 * Saves whom a member looks for: a field left out stays as it is, an emptied one takes its default.
 *
 * The profile is locked first, so that of two halves of a range that arrive at once neither overlooks the other.
 */
export async function saveFilter(deps: Deps, me: MemberRef, change: Change): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const old = await rows.lockFilter(tx, me.no);
    if (!old) throw refuse("login_required"); // deleted since the request came
    const filter = {
      search_sex: change.search_sex ?? old.search_sex,
      search_range_unit: change.search_range_unit ?? old.search_range_unit,
      ...mergeRanges(change, old),
    };
    await rows.updateSearch(tx, me.no, filter);
    await deps.consequences.follow(tx, "filter_saved", { no: me.no });
  });
}

/**
 * The ranges that a form leaves behind: where it says nothing the old ones, where it is emptied the defaults.
 *
 * NOTE: what is sent may run upwards by itself and yet not together with what was not: a range from 130 on ends, by
 * default, at 120.
 */
export function mergeRanges(change: Change, old: Ranges = defaultRanges): Ranges {
  const merge = (field: keyof Ranges): number => {
    const wish = change[field];
    return wish === undefined ? old[field] : (wish ?? defaultRanges[field]);
  };
  const ranges = {
    search_min_range: merge("search_min_range"),
    search_max_range: merge("search_max_range"),
    search_min_age: merge("search_min_age"),
    search_max_age: merge("search_max_age"),
  };
  if (!runsUpwards(ranges.search_min_range, ranges.search_max_range)) {
    throw refuseFields({ search_max_range: "range_reversed" });
  }
  if (!runsUpwards(ranges.search_min_age, ranges.search_max_age)) {
    throw refuseFields({ search_max_age: "range_reversed" });
  }
  return ranges;
}
