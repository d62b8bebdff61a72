const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** `YYYY/MM/DD` in the member's time zone. */
export function dayText(at: Date): string {
  return `${at.getFullYear()}/${twoDigits(at.getMonth() + 1)}/${twoDigits(at.getDate())}`;
}

export function timeText(at: Date): string {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** `YYYY/MM/DD-HH:MM:SS` in the member's time zone. */
export function momentText(at: Date): string {
  return `${dayText(at)}-${timeText(at)}:${twoDigits(at.getSeconds())}`;
}
