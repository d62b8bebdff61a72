export type { FindLocalTime } from "../../accounts/index.ts";

/** `YYYY/MM/DD-HH:MM:SS (zone)`, in UTC if the member's time zone is unknown. */
export function momentIn(timeZone: string | null, at: Date): string {
  const zone = timeZone ?? "UTC";
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = [parts["year"], parts["month"], parts["day"]].join("/");
  const time = [parts["hour"], parts["minute"], parts["second"]].join(":");
  return `${day}-${time} (${zone})`;
}
