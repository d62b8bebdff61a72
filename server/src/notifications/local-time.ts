import type { Db } from "../platform/db/database.ts";
import type { LocalTime } from "../platform/local-times.ts";
import { findPreferences } from "./preferences.sql.ts";
import { endOfQuietHours } from "./quiet-hours.ts";

export async function findLocalTime(db: Db, memberId: number, at: Date): Promise<LocalTime> {
  const preferences = await findPreferences(db, memberId);
  if (!preferences) return { timeZone: null, quietUntil: null };
  return { timeZone: preferences.time_zone, quietUntil: endOfQuietHours(preferences, at) };
}
