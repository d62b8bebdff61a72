/** Smaller differences change nothing on screen, and responses are seconds old. */
const SLACK_MS = 60_000;

let aheadMs = 0;

/** Compares the device's clock with the time of a response (its `Date` header). */
export function noteServerTime({ headers }: Response): void {
  const difference = Date.parse(headers.get("date") ?? "") - Date.now();
  if (!Number.isNaN(difference)) aheadMs = Math.abs(difference) < SLACK_MS ? 0 : difference;
}

/** Milliseconds since 1970 by the server's clock. The device's clock may be wrong by days. */
export const serverNow = (): number => Date.now() + aheadMs;
