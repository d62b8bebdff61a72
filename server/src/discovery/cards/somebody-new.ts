import { isWideFilter } from "@alcove/contract/wide-filter";
import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { readQuiet } from "../../profiles/index.ts";
import { loadShown } from "../load-shown.ts";
import { areMutual } from "../search/mutual-filter.ts";
import { findUnseen } from "../search/search.ts";
import { dropSeen } from "../search/search.sql.ts";
import { loadViewer, type Viewer } from "../search/viewer.ts";

const CHECKED = 60;
/** No pass is older. */
const EVER = "0001-01-01";

/**
 * Whether a card could show somebody whom the member never passed, by the rules of cards and without a like of theirs.
 *
 * Returns null for members without a notification: without a position, paused, limited, suspended, with a narrow filter.
 */
export async function hasSomebodyNew(ctx: AppContext, memberId: number): Promise<boolean | null> {
  const viewer = await findViewer(ctx, memberId);
  if (!viewer || !isWide(viewer)) return null;
  if ((await readQuiet(ctx.db, [memberId])).size > 0) return null;
  const { memberIds } = await findUnseen(ctx, viewer, CHECKED);
  const people = await loadShown(ctx, viewer, await dropSeen(ctx.searchDb, memberId, memberIds, EVER));
  const day = utcDay(ctx.clock.now());
  return [...people.values()].some((person) => areMutual(ctx, viewer, person, day));
}

async function findViewer(ctx: AppContext, memberId: number): Promise<Viewer | null> {
  try {
    const viewer = await loadViewer(ctx, { memberId });
    return viewer.isPaused ? null : viewer;
  } catch (error) {
    if (error instanceof ApiError) return null; // deleted, or without a position
    throw error;
  }
}

function isWide({ filter: { unit, minRange, maxRange, minAge, maxAge } }: Viewer): boolean {
  return isWideFilter({
    search_range_unit: unit,
    search_min_range: minRange,
    search_max_range: maxRange,
    search_min_age: minAge,
    search_max_age: maxAge,
  });
}
