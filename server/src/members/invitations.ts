import { JOINED_STEP } from "@alcove/contract/limits";
import { type Clock, utcDay } from "../platform/clock.ts";
import type { Db } from "../platform/db/database.ts";
import { selectMembers } from "./select-members.sql.ts";

/**
 * Counts the sign-ups before this month (UTC), rounded down to a multiple of five. Null below five.
 *
 * A smaller step, or a daily count, would show the inviter who of the persons they invited signed up, and when.
 */
export async function countJoined(db: Db, clock: Clock, memberId: number): Promise<number | null> {
  const month = utcDay(clock.now()).slice(0, 7);
  const count = await countInvited(db, memberId, new Date(`${month}-01T00:00:00Z`));
  return count < JOINED_STEP ? null : count - (count % JOINED_STEP);
}

/** Reads every shard by `members_invited_by`. */
async function countInvited(db: Db, memberId: number, before: Date): Promise<number> {
  const { n: count } = await selectMembers(db)
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("invited_by", "=", memberId)
    .where("created_at", "<", before)
    .executeTakeFirstOrThrow();
  return count;
}
