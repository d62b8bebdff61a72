import type { ParsedOf } from "@alcove/contract";
import { SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { saveFilter as saveFilterCall } from "@alcove/contract/profiles";
import { runsUpwards } from "@alcove/contract/users";
import type { Deps, MemberRef } from "../platform/deps.ts";
import { refuseFields } from "../platform/refuse.ts";
import * as rows from "./profiles.sql.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A member looks for somebody else now; the search row follows. */
    filter_saved: { no: number };
  }
}

type Change = ParsedOf<typeof saveFilterCall>;

/**
 * Saves whom a member looks for: a field left out stays as it is, an emptied one takes its default.
 *
 * The profile is locked first, so that of two halves of a range that arrive at once neither overlooks the other.
 */
export async function saveFilter(deps: Deps, me: MemberRef, change: Change): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const old = await rows.lockFilter(tx, me.no);
    const filter = {
      search_sex: change.search_sex ?? old.search_sex,
      search_range_unit: change.search_range_unit ?? old.search_range_unit,
      search_min_range: merge(change.search_min_range, old.search_min_range, SEARCH_RANGE.defaultMin),
      search_max_range: merge(change.search_max_range, old.search_max_range, SEARCH_RANGE.defaultMax),
      search_min_age: merge(change.search_min_age, old.search_min_age, SEARCH_AGE.defaultMin),
      search_max_age: merge(change.search_max_age, old.search_max_age, SEARCH_AGE.defaultMax),
    };
    if (!runsUpwards(filter.search_min_range, filter.search_max_range)) {
      throw refuseFields({ search_max_range: "range_reversed" });
    }
    if (!runsUpwards(filter.search_min_age, filter.search_max_age)) {
      throw refuseFields({ search_max_age: "range_reversed" });
    }
    await rows.updateSearch(tx, me.no, filter);
    await deps.consequences.follow(tx, "filter_saved", { no: me.no });
  });
}

function merge(wish: number | null | undefined, old: number, whenEmpty: number): number {
  return wish === undefined ? old : (wish ?? whenEmpty);
}
