import type { Db } from "./db/database.ts";

export interface LocalTime {
  /** Null if no device of the member has named it. */
  readonly timeZone: string | null;
  /** Null outside of the quiet hours. */
  readonly quietUntil: Date | null;
}

type FindLocalTime = (db: Db, memberId: number, at: Date) => Promise<LocalTime>;

/** The notifications provide it; features that they depend on use it too. */
export class LocalTimes {
  find: FindLocalTime = async () => ({ timeZone: null, quietUntil: null });
}
