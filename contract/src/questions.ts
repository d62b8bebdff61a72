const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** A Monday, the first day of the first question. */
const FIRST_MONDAY = Date.UTC(2026, 0, 5);

export const QUESTIONS = 40;

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The number of the week's question on a day, from 1. All members have the same one from Monday to Sunday. */
export function questionOn(day: string): number {
  const weeks = Math.floor((at(day) - FIRST_MONDAY) / (WEEK_DAYS * DAY_MS));
  return (((weeks % QUESTIONS) + QUESTIONS) % QUESTIONS) + 1;
}

/** The Monday after a day, when the next question comes. */
export function questionEnd(day: string): string {
  const weekday = (new Date(at(day)).getUTCDay() + 6) % WEEK_DAYS;
  return new Date(at(day) + (WEEK_DAYS - weekday) * DAY_MS).toISOString().slice(0, 10);
}
