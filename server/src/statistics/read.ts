import type { Figure, Period, PeriodKind } from "@alcove/contract/console-statistics";
import { currencies } from "@alcove/contract/prices";
import { DAY_MS, monthOf, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { readFigures, type DailyFigure } from "./figures.sql.ts";
import { countNow } from "./record.ts";
import { type Shown, showLevels, showSum } from "./suppress.ts";

/** The last ones, if more are wanted. */
const PERIODS_MAX = 400;
const DEFAULT_PERIODS: Record<PeriodKind, number> = { day: 30, month: 12 };

export interface Wanted {
  readonly by: PeriodKind;
  /** The first day; a month counts as a whole. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Oldest first. Returns null if `from` is after `to`. */
export async function readStatistics(ctx: AppContext, { by, from, to }: Wanted): Promise<Period[] | null> {
  const today = utcDay(ctx.clock.now());
  const last = to === null || to > today ? today : to;
  const periods = listPeriods(by, from, last);
  if (!periods) return null;
  const figures = new Figures(await readFigures(ctx.db, today), await countNow(ctx, today), today);
  return periods.map((period) => present(figures, period, by));
}

function listPeriods(by: PeriodKind, from: string | null, last: string): string[] | null {
  const [count, nameOf] = by === "day" ? [dayNumber, dayName] : [monthOf, monthName];
  const end = count(last);
  const first = from === null ? end - DEFAULT_PERIODS[by] + 1 : count(from);
  if (first > end) return null;
  const shown = Math.min(end - first + 1, PERIODS_MAX);
  return Array.from({ length: shown }, (_, i) => nameOf(end - shown + 1 + i));
}

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
const dayName = (day: number): string => utcDay(new Date(day * DAY_MS));
const monthName = (month: number): string => utcDay(new Date(Date.UTC(2_000, month - 24_000))).slice(0, 7);

/** All recorded days, because a shown number of members depends on the days before it. */
class Figures {
  readonly #days: readonly string[];
  readonly #values = new Map<string, Map<string, number>>();
  readonly #levels = new Map<string, ReadonlyMap<string, Figure>>();

  constructor(recorded: readonly DailyFigure[], now: readonly DailyFigure[], today: string) {
    const isNow = new Set(now.map(({ figure }) => figure));
    const figures = recorded.filter(({ day, figure }) => day !== today || !isNow.has(figure)).concat(now);
    for (const { day, figure, value } of figures) {
      const values = this.#values.get(figure) ?? new Map<string, number>();
      this.#values.set(figure, values.set(day, value));
    }
    this.#days = [...new Set(figures.map(({ day }) => day))].toSorted();
  }

  partsOf(figure: string): string[] {
    const prefix = `${figure}:`;
    return [...this.#values.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .toSorted();
  }

  sum(period: string, figure: string, sumOf = figure): Shown {
    const days = this.#days.filter((day) => day.startsWith(period));
    const valueOf = (name: string, day: string) => this.#values.get(name)?.get(day) ?? 0;
    return showSum(days.map((day) => ({ count: valueOf(figure, day), sum: valueOf(sumOf, day) })));
  }

  /** Without days between: a member counts once in a month. */
  total(period: string, figure: string): Figure {
    const days = this.#days.filter((day) => day.startsWith(period));
    const count = days.reduce((sum, day) => sum + (this.#values.get(figure)?.get(day) ?? 0), 0);
    return showSum([{ count, sum: 0 }]).count;
  }

  /** At the end of the period, else of the last recorded day before it. */
  level(period: string, figure: string): Figure {
    const levels = this.#levels.get(figure) ?? this.#showLevels(figure);
    this.#levels.set(figure, levels);
    const last = this.#days.findLast((day) => day.slice(0, period.length) <= period);
    return (last !== undefined && levels.get(last)) || 0;
  }

  #showLevels(figure: string): ReadonlyMap<string, Figure> {
    const values = this.#values.get(figure);
    const shown = showLevels(this.#days.map((day) => values?.get(day) ?? 0));
    return new Map(this.#days.map((day, i) => [day, shown[i]!]));
  }
}

function present(figures: Figures, period: string, by: PeriodKind): Period {
  const count = (figure: string): Figure => figures.sum(period, figure).count;
  const inCurrencies = (figure: string): Record<(typeof currencies)[number], Figure> => {
    const shown = currencies.map((currency) => [currency, count(`${figure}:${currency}`)]);
    return Object.fromEntries(shown) as Record<(typeof currencies)[number], Figure>;
  };
  const money = (figure: string, of: string) => {
    const shown = currencies.map((currency) => {
      const { sum } = figures.sum(period, `${figure}:${currency}`, `${of}:${currency}`);
      return [currency, typeof sum === "number" && currency === "USD" ? sum / 100 : sum];
    });
    return Object.fromEntries(shown) as ReturnType<typeof inCurrencies>;
  };
  const byCountry = (figure: string, shownOf: (name: string) => Figure): Record<string, Figure> =>
    Object.fromEntries(
      figures
        .partsOf(figure)
        .map((country) => [country, shownOf(`${figure}:${country}`)] as const)
        .filter(([, shown]) => shown !== 0),
    );
  const { sum: feeCents } = figures.sum(period, "fees", "fee_cents");
  const closed = figures.sum(period, "reports_closed", "report_days");
  return {
    period,
    members_female: figures.level(period, "members:female"),
    members_male: figures.level(period, "members:male"),
    members_by_country: byCountry("members_in", (name) => figures.level(period, name)),
    sign_ups: count("sign_ups"),
    active_members: by === "day" ? count("active") : figures.total(period, "active_in_month"),
    cards: count("cards"),
    likes: count("likes"),
    matches: count("matches"),
    first_messages: count("first_messages"),
    buyers: inCurrencies("buyers"),
    buyers_by_country: byCountry("buyers_in", count),
    revenue: money("buyers", "revenue"),
    refunds: inCurrencies("refunds"),
    refunded: money("refunds", "refunded"),
    fees: count("fees"),
    fees_usd: typeof feeCents === "number" ? feeCents / 100 : feeCents,
    reports: count("reports"),
    reports_closed: closed.count,
    report_days: meanOf(closed),
  };
}

function meanOf({ count, sum }: Shown): Figure {
  if (typeof count !== "number" || typeof sum !== "number") return count;
  return count === 0 ? 0 : Math.round((10 * sum) / count) / 10;
}
