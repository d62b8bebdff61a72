import type { Deps } from "../platform/deps.ts";
import * as rows from "./cell-counts.sql.ts";

/**
 * Counts members by cell and sex, which plans the search; done by one job a minute and never within a request. Writes
 * only what has changed; a cell that has emptied counts 0.
 */
export async function countCells({ db }: Deps): Promise<void> {
  const keyOf = ({ c4, sex }: { c4: number; sex: number }) => `${c4} ${sex}`;
  const [listed, known] = [await rows.countListed(db), await rows.readAllCounts(db)];
  const before = new Map(known.map((count) => [keyOf(count), count.n]));
  const now = new Map(listed.map((count) => [keyOf(count), count]));
  const emptied = known
    .filter((count) => count.n > 0 && !now.has(keyOf(count)))
    .map(({ c4, sex }) => ({ c4, sex, n: 0 }));
  const changed = listed.filter((count) => before.get(keyOf(count)) !== count.n);
  if (changed.length + emptied.length > 0) await rows.storeCounts(db, [...changed, ...emptied]);
}
