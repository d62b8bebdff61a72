import type { ParsedOf } from "@alcove/contract";
import type { saveFilter as saveFilterCall } from "@alcove/contract/profiles";
import { type defaultRanges, mergeRanges, reversedEnds } from "@alcove/contract/users";
import type { Deps, MemberRef } from "../platform/context.ts";
import { type Faults, refuse, refuseFaults } from "../platform/errors.ts";
import * as rows from "./profiles.sql.ts";

declare module "../platform/domain-events.ts" {
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
    if (!old) throw refuse("login_required"); // deleted since the request came
    const ranges = mergeRanges(change, old);
    refuseFaults(rangeFaults(ranges));
    const filter = {
      search_sex: change.search_sex ?? old.search_sex,
      search_range_unit: change.search_range_unit ?? old.search_range_unit,
      ...ranges,
    };
    await rows.updateSearch(tx, me.no, filter);
    await deps.consequences.follow(tx, "filter_saved", { no: me.no });
  });
}

/** What is wrong with a change only together with the ranges that stay as they are, of as many fields as are right. */
export async function faultsOf(deps: Deps, me: MemberRef, right: Partial<Change>): Promise<Faults> {
  const old = await rows.lockFilter(deps.db, me.no);
  return old ? rangeFaults(mergeRanges(right, old)) : {};
}

function rangeFaults(ranges: typeof defaultRanges): Faults {
  return Object.fromEntries(reversedEnds(ranges).map((end) => [end, "range_reversed"]));
}
