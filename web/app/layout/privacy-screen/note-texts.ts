const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const VARIANTS = 5;
/** Minutes before now, for the notes of today. */
const MINUTES_AGO = [23, 55] as const;
/** Days before today, for the others. */
const DAYS_AGO = [2, 3, 5, 6] as const;

export interface Note {
  readonly title: string;
  readonly text: string;
  /** A time for a note of today, else a weekday. */
  readonly when: string;
}

const startOfDay = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** The same all day. */
export function variantOf(now: Date): number {
  const newYear = new Date(now.getFullYear(), 0, 1);
  return Math.round((startOfDay(now) - newYear.getTime()) / DAY_MS) % VARIANTS;
}

/** `lines` has one note a line, as `title: text`. The device's own format shows the times. */
export function notesOf(lines: string, now: Date, lang: string) {
  const timeOf = (minutes: number) =>
    new Date(Math.max(startOfDay(now), now.getTime() - minutes * MINUTE_MS));
  const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
  const dayName = new Intl.DateTimeFormat(lang, { weekday: "long" });
  const times = [
    ...MINUTES_AGO.map((minutes) => time.format(timeOf(minutes))),
    ...DAYS_AGO.map((days) => dayName.format(now.getTime() - days * DAY_MS)),
  ];
  const notes = lines.split("\n").map((line, at): Note => {
    const [title = "", text = ""] = line.split(": ");
    return { title, text, when: times[at] ?? "" };
  });
  return {
    today: notes.slice(0, MINUTES_AGO.length),
    earlier: notes.slice(MINUTES_AGO.length),
    newest: new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" }).format(
      timeOf(MINUTES_AGO[0]),
    ),
  };
}

/** Time and text of a note in a list. */
export const lineOf = ({ when, text }: Note): string => `${when}\u2002${text}`;

/** The words of a note, one a line. */
export function itemsOf(text: string): string[] {
  return text.split(/, |、/).map((item) => item.charAt(0).toLocaleUpperCase() + item.slice(1));
}
