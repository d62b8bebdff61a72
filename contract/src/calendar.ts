/** Adds calendar months in UTC. A missing day becomes the last one: 31 January plus one month is 28 or 29 February. */
export function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return to;
}

export function extendedUntil(
  before: Date | null,
  at: Date,
  { year, month }: { readonly year: number; readonly month: number },
): Date {
  return addMonths(before && before > at ? before : at, year * 12 + month);
}
