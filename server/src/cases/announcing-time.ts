import type { CaseKind, CaseRule } from "@alcove/contract/cases";
import { ceilTo, DAY_MS, dayIn, HOUR_MS, MINUTE_MS } from "../platform/clock.ts";

const TOLD_AT = "09:00";
/** The time of a decision points to no reporter. */
const AFTER_REPORT_MS = 12 * HOUR_MS;
const REPORTED: ReadonlySet<CaseKind> = new Set(["report", "threat", "notice"]);
const POSTPONED_MS = 3 * DAY_MS;
const ZONE_STEP_MS = 15 * MINUTE_MS;
const PROMPT: ReadonlySet<CaseRule> = new Set(["fraud", "threat", "underage"]);

interface Deciding {
  readonly rule: CaseRule;
  readonly timeZone: string | null;
  readonly newestReportAt: Date;
}

/** At 09:00 of the accused, or at the next full hour where others are in danger (docs/moderation.md). */
export function effectiveAt({ rule, timeZone, newestReportAt }: Deciding, now: Date): Date {
  if (PROMPT.has(rule)) return ceilTo(now, HOUR_MS);
  const earliest = Math.max(now.getTime(), newestReportAt.getTime() + AFTER_REPORT_MS);
  return nextMorning(timeZone ?? "UTC", new Date(earliest));
}

export const isReportedLately = (
  cases: readonly { readonly kind: CaseKind; readonly newest_report_at: Date }[],
  now: Date,
): boolean =>
  cases.some(
    ({ kind, newest_report_at: at }) => REPORTED.has(kind) && at.getTime() + AFTER_REPORT_MS > now.getTime(),
  );

export const postponedUntil = (effective: Date): Date => new Date(effective.getTime() + POSTPONED_MS);

/** The first quarter from 09:00 on: a clock change may skip it. */
function nextMorning(timeZone: string, from: Date): Date {
  for (let at = ceilTo(from, ZONE_STEP_MS); ; at = new Date(at.getTime() + ZONE_STEP_MS)) {
    if (timeIn(timeZone, at) < TOLD_AT) continue;
    const before = new Date(at.getTime() - ZONE_STEP_MS);
    const isFirst = timeIn(timeZone, before) < TOLD_AT || dayIn(timeZone, before) !== dayIn(timeZone, at);
    if (isFirst) return at;
  }
}

function timeIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(at);
}
