import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

export interface Unused {
  readonly member_no: number;
  /** The later of the last visit and the end of the paid time. */
  readonly used_on: string;
  readonly warnings: number;
}

/** Reads every shard by `members_visited_on`: for a job only. */
export async function findUnused(
  db: Db,
  before: { visited: string; warned: string },
  { after, limit }: { after: number; limit: number },
): Promise<Unused[]> {
  const usedOn = sql<string>`greatest(m.visited_on, (s.paid_until_hour at time zone 'UTC')::date)`;
  return db
    .selectFrom("members as m")
    .leftJoin("memberships as s", "s.member_no", "m.member_no")
    .select(["m.member_no", usedOn.as("used_on"), "m.unused_warnings as warnings"])
    .where("m.visited_on", "<=", before.visited)
    .where(usedOn, "<=", before.visited)
    .where((eb) =>
      eb.or([eb("m.unused_warned_on", "is", null), eb("m.unused_warned_on", "<=", before.warned)]),
    )
    .where("m.member_no", ">", after)
    .orderBy("m.member_no")
    .limit(limit)
    .execute();
}

export async function takeWarning(tx: Tx, { member_no, warnings }: Unused, day: string): Promise<boolean> {
  const row = await tx
    .updateTable("members")
    .set({ unused_warnings: warnings + 1, unused_warned_on: day })
    .where("member_no", "=", member_no)
    .where("unused_warnings", "=", warnings)
    .where("visited_on", "<", day)
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}
