/** Months of a membership, bought one after the other. They count from the first purchase, so that its day is kept. */
export interface Term {
  readonly start: Date;
  readonly months: number;
  /** The zone that the member saw at the first purchase. */
  readonly timeZone: string;
}

interface Plan {
  readonly year: number;
  readonly month: number;
}

export const monthsOf = ({ year, month }: Plan): number => year * 12 + month;

/** Extends a term that still runs, or begins a new one. */
export function extendTerm(term: Term | null, at: Date, months: number, timeZone: string): Term {
  const isRunning = term !== null && endOf(term) > at;
  return isRunning ? { ...term, months: term.months + months } : { start: at, months, timeZone };
}

export const endOf = ({ start, months, timeZone }: Term): Date => addMonths(start, months, timeZone);

/** The zone is that of the device, if none is given. */
export function extendedUntil(term: Term | null, at: Date, plan: Plan, timeZone = deviceZone()): Date {
  return endOf(extendTerm(term, at, monthsOf(plan), timeZone));
}

/**
 * Adds calendar months as a clock of the zone shows them. A missing day becomes the last one: 31 January plus one month is 28
 * or 29 February.
 */
export function addMonths(from: Date, months: number, timeZone = deviceZone()): Date {
  const clock = new Date(from.getTime() + offsetOf(timeZone, from.getTime()));
  const to = new Date(clock);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(clock.getUTCDate(), lastDay));
  return instantOf(timeZone, to.getTime());
}

/** The end of a day `YYYY-MM-DD` in a zone. Returns null for a day that does not exist. */
export function endOfDay(day: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(day)) return null;
  return instantOf(timeZone, start.getTime() + 24 * 60 * 60 * 1_000);
}

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which clocks of the zone are ahead of UTC. */
function offsetOf(timeZone: string, at: number): number {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  clocks.set(timeZone, clock);
  const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = shown;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/**
 * The instant at which clocks of the zone show a time, written as one of UTC. A time that they skip is as far behind the
 * gap as it is in it: 0:00 is 1:00 where the day begins at 1:00.
 */
function instantOf(timeZone: string, shown: number): Date {
  const offset = offsetOf(timeZone, shown - offsetOf(timeZone, shown));
  const offsetThen = offsetOf(timeZone, shown - offset);
  return new Date(shown - Math.min(offset, offsetThen));
}
