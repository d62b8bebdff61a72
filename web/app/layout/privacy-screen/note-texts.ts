const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const VARIANTS = 5;
/** Minutes before now, for the notes of today. */
const MINUTES_AGO = [23, 55] as const;
/** Days before today and the minute of that day, for the others. */
const DAYS_AGO = [
  [2, 1_113],
  [3, 487],
  [5, 1_271],
  [6, 756],
] as const;

export interface Note {
  readonly title: string;
  readonly text: string;
  readonly at: Date;
  /** As it was typed on the privacy screen. */
  readonly typed?: string;
}

const startOfDay = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** The same all day. */
export function variantOf(now: Date): number {
  const newYear = new Date(now.getFullYear(), 0, 1);
  return Math.round((startOfDay(now) - newYear.getTime()) / DAY_MS) % VARIANTS;
}

/** `lines` has one note a line, as `title: text`. */
export function notesOf(lines: string, now: Date): Note[] {
  const times = [
    ...MINUTES_AGO.map((minutes) => Math.max(startOfDay(now), now.getTime() - minutes * MINUTE_MS)),
    ...DAYS_AGO.map(
      ([days, minute]) => startOfDay(new Date(now.getTime() - days * DAY_MS)) + minute * MINUTE_MS,
    ),
  ];
  return lines.split("\n").map((line, at): Note => {
    const [title = "", text = ""] = line.split(": ");
    return { title, text, at: new Date(times[at] ?? now) };
  });
}

/** The first line is the title. */
export function typedNote(typed: string, at: Date): Note {
  const [title = "", ...lines] = typed.trim().split("\n");
  return { title, text: lines.join(" ").trim(), at, typed };
}

export const isOfToday = ({ at }: Note, now: Date): boolean => startOfDay(at) === startOfDay(now);

/** In the device's own format. */
const timeOf = (at: Date): string =>
  new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(at);

/** Time and text in a list: a time of today, else a weekday. */
export function lineOf(note: Note, now: Date, lang: string): string {
  const weekday = new Intl.DateTimeFormat(lang, { weekday: "long" });
  const when = isOfToday(note, now) ? timeOf(note.at) : weekday.format(note.at);
  return `${when}\u2002${note.text}`;
}

export function dateOf({ at }: Note, lang: string): string {
  return `${new Intl.DateTimeFormat(lang, { dateStyle: "long" }).format(at)}\u2002${timeOf(at)}`;
}

export function hasWords({ title, text }: Note, words: string): boolean {
  return `${title} ${text}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());
}

/** The words of a note, one a line. */
export function itemsOf(text: string): string[] {
  return text.split(/, |、/).map((item) => item.charAt(0).toLocaleUpperCase() + item.slice(1));
}
