import type { Db } from "../platform/db/database.ts";
import { findPreferences } from "./preferences.sql.ts";
import { endOfQuietHours } from "./quiet-hours.ts";

interface LocalTime {
  /** Null if no device of the member has named it. */
  readonly timeZone: string | null;
  /** Null outside of the quiet hours. */
  readonly quietUntil: Date | null;
}

export async function findLocalTime(db: Db, memberId: number, at: Date): Promise<LocalTime> {
  const preferences = await findPreferences(db, memberId);
  if (!preferences) return { timeZone: null, quietUntil: null };
  return { timeZone: preferences.time_zone, quietUntil: endOfQuietHours(preferences, at) };
}
