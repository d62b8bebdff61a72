import type { ParsedOf } from "@alcove/contract";
import type { saveFilter as saveFilterCall } from "@alcove/contract/profiles";
import { type defaultRanges, mergeRanges, reversedEnds } from "@alcove/contract/users";
import type { DayCounters } from "../members/tables.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { type FieldErrors, ApiError, throwIfInvalid } from "../platform/errors.ts";
import * as rows from "./profiles.sql.ts";
import { DAY_MS, dayIn } from "../platform/clock.ts";
import type { RateLimit } from "../platform/security/rate-limits.ts";

const DISTANCE_FILTER_CHANGES: RateLimit = {
  name: "distance_filter_changes",
  max: 6,
  windowMs: DAY_MS,
  error: "distance_changes_used_up",
};

type Change = ParsedOf<typeof saveFilterCall>;

const distanceFields = ["search_range_unit", "search_min_range", "search_max_range"] as const;

/**
 * A missing field stays as it is, an empty one takes its default. The profile's lock orders parallel changes. Changes
 * of the distance are limited, because halving it locates a member.
 */
export async function saveFilter(ctx: AppContext, me: MemberRef, change: Change): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const old = await rows.lockFilter(tx, me.memberId);
    if (!old) throw new ApiError("login_required"); // deleted since the request began
    const ranges = mergeRanges(change, old);
    throwIfInvalid(rangeErrors(ranges));
    const filter = {
      search_sex: change.search_sex ?? old.search_sex,
      search_range_unit: change.search_range_unit ?? old.search_range_unit,
      ...ranges,
    };
    if (distanceFields.some((field) => filter[field] !== old[field]))
      await ctx.rateLimits.consume(DISTANCE_FILTER_CHANGES, me.memberId, tx);
    await rows.updateSearch(tx, me.memberId, filter);
    await ctx.domainEvents.emit(tx, "filter_saved", { memberId: me.memberId });
  });
}

export async function continueChanges(
  tx: Tx,
  ctx: AppContext,
  { memberId, former }: { memberId: number; former: readonly DayCounters[] },
): Promise<void> {
  const today = dayIn(ctx.config.dayTimeZone, ctx.clock.now());
  const changes = former.map(({ day, filterChanges = 0 }) => (day === today ? filterChanges : 0));
  for (let i = 0; i < Math.max(0, ...changes); i++)
    await ctx.rateLimits.record(DISTANCE_FILTER_CHANGES, memberId, tx);
}

export async function countChanges(tx: Tx, ctx: AppContext, memberId: number): Promise<number> {
  return ctx.rateLimits.countHits(DISTANCE_FILTER_CHANGES, memberId, tx);
}

/** Checks the ranges with the saved values, for the valid fields only. */
export async function validateRanges(
  ctx: AppContext,
  me: MemberRef,
  right: Partial<Change>,
): Promise<FieldErrors> {
  const old = await rows.lockFilter(ctx.db, me.memberId);
  return old ? rangeErrors(mergeRanges(right, old)) : {};
}

function rangeErrors(ranges: typeof defaultRanges): FieldErrors {
  return Object.fromEntries(reversedEnds(ranges).map((end) => [end, "range_reversed"]));
}
