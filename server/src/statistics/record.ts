import { randomUUID } from "node:crypto";
import { countries } from "@alcove/contract/countries";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { countReports } from "../cases/index.ts";
import * as rows from "./figures.sql.ts";

/** Counts what happens now: its rows may be gone tomorrow. Zeros are left out. */
export async function add(
  tx: Tx,
  { clock }: Pick<AppContext, "clock">,
  figures: Readonly<Record<string, number>>,
): Promise<void> {
  const day = utcDay(clock.now());
  const added = Object.entries(figures).filter(([, value]) => value !== 0);
  if (added.length === 0) return;
  await rows.addRows(
    tx,
    added.map(([figure, value]) => ({ day, figure, value, part: randomUUID() })),
  );
}

/** Each hour: adds up events, and records the members there are. Reports are counted from their rows, yesterday's too. */
export async function recordFigures(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const [today, yesterday] = [utcDay(now), utcDay(new Date(now.getTime() - DAY_MS))];
  await rows.addUp(ctx.db);
  await rows.record(ctx.db, await countNow(ctx, today));
  await rows.record(ctx.db, await reportFigures(ctx, yesterday));
}

/** Members by sex and country, and the reports of the day. */
export async function countNow(ctx: AppContext, day: string): Promise<rows.DailyFigure[]> {
  const bySex = (await rows.countBySex(ctx.db)).map(
    ({ sex, members }) => [`members:${sex}`, members] as const,
  );
  const byCountry = new Map<string, number>();
  for (const { zone, members } of await rows.countByTimeZone(ctx.db)) {
    const figure = `members_in:${countryOfZone(zone)}`;
    byCountry.set(figure, (byCountry.get(figure) ?? 0) + members);
  }
  byCountry.delete("members_in:");
  const members = [...bySex, ...byCountry].map(([figure, value]) => ({ day, figure, value }));
  return [...members, ...(await reportFigures(ctx, day))];
}

async function reportFigures(ctx: AppContext, day: string): Promise<rows.DailyFigure[]> {
  const { made, closed, days } = await countReports(ctx.db, day);
  return Object.entries({ reports: made, reports_closed: closed, report_days: days }).map(
    ([figure, value]) => ({ day, figure, value }),
  );
}

/** TypeScript does not know the function yet. */
type LocaleWithZones = Intl.Locale & { getTimeZones?(): string[] | undefined };

let zones: ReadonlyMap<string, string> | undefined;

/** The country of a time zone; empty if unknown. */
function countryOfZone(zone: string): string {
  zones ??= readZones();
  return zones.get(canonical(zone)) ?? "";
}

function readZones(): Map<string, string> {
  const found = countries.flatMap((country) => {
    const locale: LocaleWithZones = new Intl.Locale(`und-${country}`);
    return (locale.getTimeZones?.() ?? []).map((zone) => [canonical(zone), country] as const);
  });
  return new Map(found);
}

const canonical = (timeZone: string): string =>
  new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
