const two = (number: number): string => String(number).padStart(2, "0");

/** `YYYY/MM/DD`, in the member's own zone. */
export function dayText(at: Date): string {
  return `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`;
}

/** `HH:MM`, in the member's own zone. */
export function timeText(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `YYYY/MM/DD-HH:MM:SS`, in the member's own zone (specification, section 9). */
export function momentText(at: Date): string {
  return `${dayText(at)}-${timeText(at)}:${two(at.getSeconds())}`;
}
