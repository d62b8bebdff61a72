import { SECOND_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Db } from "../../platform/db/database.ts";
import { FAR, regionOfParent } from "../position/cells.ts";
import * as rows from "./cell-counts.sql.ts";
import type { CellCount } from "./plan.ts";

const keyOf = (cell: number, sex: number) => cell * 4 + sex;

/** Writes only changes; an emptied cell counts 0. */
export async function countCells(ctx: AppContext): Promise<void> {
  const { db } = ctx;
  const [current, stored] = [await rows.countSearchables(db), await rows.readAllCellCounts(db)];
  const storedMembers = new Map(stored.map((count) => [keyOf(count.far_cell, count.sex), count.members]));
  const occupied = new Set(current.map((count) => keyOf(count.far_cell, count.sex)));
  const emptied = stored
    .filter((count) => count.members > 0 && !occupied.has(keyOf(count.far_cell, count.sex)))
    .map(({ far_cell, sex }) => ({ far_cell, sex, members: 0 }));
  const changed = current.filter(
    (count) => storedMembers.get(keyOf(count.far_cell, count.sex)) !== count.members,
  );
  if (changed.length + emptied.length > 0) await rows.upsertCellCounts(db, [...changed, ...emptied]);
  clearCellCounts(ctx);
}

/** With the job's minute, a search overlooks new members for 75 seconds at most. */
const MAX_AGE_MS = 15 * SECOND_MS;

interface RegionCounts {
  readonly readAt: number;
  readonly members: ReadonlyMap<number, number>;
}

const cache = new WeakMap<Db, Map<number, RegionCounts>>();

export async function loadCellCounts(
  { db, clock }: AppContext,
  regions: readonly number[],
): Promise<CellCount> {
  const cached = cache.get(db) ?? new Map<number, RegionCounts>();
  cache.set(db, cached);
  const now = clock.now().getTime();
  const isStale = (region: number) => {
    const age = now - (cached.get(region)?.readAt ?? -Infinity);
    return age < 0 || age >= MAX_AGE_MS;
  };
  const stale = regions.filter(isStale);
  if (stale.length > 0) {
    const fresh = new Map(stale.map((region) => [region, new Map<number, number>()]));
    for (const { far_cell, sex, members } of await rows.readCellCounts(db, stale)) {
      fresh.get(regionOfParent(far_cell, FAR))!.set(keyOf(far_cell, sex), members);
    }
    for (const [region, members] of fresh) cached.set(region, { readAt: now, members });
  }
  return (cell, sex) => cached.get(regionOfParent(cell, FAR))?.members.get(keyOf(cell, sex)) ?? 0;
}

export function clearCellCounts({ db }: AppContext): void {
  cache.delete(db);
}
