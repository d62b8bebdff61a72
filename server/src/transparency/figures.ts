import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./figures.sql.ts";

/** Less than cases are kept (docs/product-rules.md, Transparency): a month is complete while it is counted again. */
const COUNTED_DAYS = 90;

export interface YearFigure {
  readonly figure: string;
  readonly months: readonly number[];
  /** The sum, or for members the highest month. */
  readonly year: number;
}

/** Safe to repeat. Counts the running month of members, and the last months of cases. */
export async function countFigures(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const since = utcDay(new Date(now.getTime() - COUNTED_DAYS * DAY_MS)).slice(0, 7);
  await rows.storeFigures(ctx.db, await rows.countCases(ctx.db, since), true);
  const month = utcDay(now).slice(0, 7);
  const firstDay = Date.parse(`${month}-01`) / DAY_MS;
  await rows.storeFigures(ctx.db, await rows.countMembers(ctx.db, month, firstDay), false);
}

/** Returns every figure of the year, and the median of days from opening to decision. */
export async function readYear(
  ctx: AppContext,
  year: number,
): Promise<{ figures: YearFigure[]; medianDays: number | null }> {
  const stored = await rows.readFigures(ctx.db, year);
  const byFigure = Map.groupBy(stored, ({ figure }) => figure);
  const all = [...byFigure].map(([figure, some]): YearFigure => {
    const months = Array.from({ length: 12 }, (_, i) => {
      const month = `${year}-${String(i + 1).padStart(2, "0")}`;
      return some.find((one) => one.month === month)?.count ?? 0;
    });
    const isState = figure.startsWith("members.");
    const sum = months.reduce((total, count) => total + count, 0);
    return { figure, months, year: isState ? Math.max(...months) : sum };
  });
  const days = all.filter(({ figure }) => figure.startsWith("days."));
  return {
    figures: all.filter(({ figure }) => !figure.startsWith("days.")),
    medianDays: medianOf(
      days.map(({ figure, year: count }) => [Number(figure.slice("days.".length)), count]),
    ),
  };
}

function medianOf(counts: readonly (readonly [days: number, count: number])[]): number | null {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [days, count] of counts.toSorted(([a], [b]) => a - b)) {
    passed += count;
    if (passed * 2 >= total && total > 0) return days;
  }
  return null;
}
