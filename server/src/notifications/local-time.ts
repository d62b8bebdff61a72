import { findTimeZone } from "../members/members.sql.ts";
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
  const timeZone = await findTimeZone(db, memberId);
  return { timeZone, quietUntil: preferences && endOfQuietHours(preferences, timeZone, at) };
}
