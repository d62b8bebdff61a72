import { SECOND_MS } from "../platform/clock.ts";
import type { Db } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./cell-counts.sql.ts";
import { FAR, regionOfParent } from "./cells.ts";
import type { Count } from "./plan.ts";

const keyOf = (cell: number, sex: number) => cell * 4 + sex;

/**
 * Counts members by cell and sex, which plans the search; done by one job a minute and never within a request. Writes
 * only what has changed; a cell that has emptied counts 0.
 */
export async function countCells(ctx: AppContext): Promise<void> {
  const { db } = ctx;
  const [listed, known] = [await rows.countListed(db), await rows.readAllCounts(db)];
  const before = new Map(known.map((count) => [keyOf(count.c4, count.sex), count.n]));
  const now = new Map(listed.map((count) => [keyOf(count.c4, count.sex), count]));
  const emptied = known
    .filter((count) => count.n > 0 && !now.has(keyOf(count.c4, count.sex)))
    .map(({ c4, sex }) => ({ c4, sex, n: 0 }));
  const changed = listed.filter((count) => before.get(keyOf(count.c4, count.sex)) !== count.n);
  if (changed.length + emptied.length > 0) await rows.storeCounts(db, [...changed, ...emptied]);
  forgetCounts(ctx);
}

/** So long a process plans with what it has read; with the job's minute, nobody in an empty area is overlooked longer than 75 seconds. */
const LIFE_MS = 15 * SECOND_MS;

interface Counted {
  readonly at: number;
  /** By cell and sex. */
  readonly counts: ReadonlyMap<number, number>;
}

/** What was read of each region; there are 842 of them, with at most 686 counts each. */
const read = new WeakMap<Db, Map<number, Counted>>();

/** How many members of each sex the cells of some regions held at the last count, from memory while that is fresh. */
export async function countsOf({ db, clock }: AppContext, regions: readonly number[]): Promise<Count> {
  const known = read.get(db) ?? new Map<number, Counted>();
  read.set(db, known);
  const now = clock.now().getTime();
  const isStale = (region: number) => {
    const age = now - (known.get(region)?.at ?? -Infinity);
    return age < 0 || age >= LIFE_MS;
  };
  const stale = regions.filter(isStale);
  if (stale.length > 0) {
    const fresh = new Map(stale.map((region) => [region, new Map<number, number>()]));
    for (const { c4, sex, n } of await rows.readCounts(db, stale)) {
      fresh.get(regionOfParent(c4, FAR))!.set(keyOf(c4, sex), n);
    }
    for (const [region, counts] of fresh) known.set(region, { at: now, counts });
  }
  return (cell, sex) => known.get(regionOfParent(cell, FAR))?.counts.get(keyOf(cell, sex)) ?? 0;
}

/** The next search reads the counts anew. */
export function forgetCounts({ db }: AppContext): void {
  read.delete(db);
}
