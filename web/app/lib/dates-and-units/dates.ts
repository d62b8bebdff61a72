const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** `YYYY/MM/DD` in the member's time zone. */
export function dayText(at: Date): string {
  return `${at.getFullYear()}/${twoDigits(at.getMonth() + 1)}/${twoDigits(at.getDate())}`;
}

/** `YYYY-MM-DD` in the member's time zone, as date fields have it. */
export function localDay(at: Date): string {
  return dayText(at).replaceAll("/", "-");
}

export function timeText(at: Date): string {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** `YYYY/MM/DD-HH:MM:SS` in the member's time zone. */
export function momentText(at: Date): string {
  return `${dayText(at)}-${timeText(at)}:${twoDigits(at.getSeconds())}`;
}
