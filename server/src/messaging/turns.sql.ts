import { sql } from "kysely";
import type { Db } from "../platform/db/database.ts";

interface Turns {
  readonly memberId: number;
  readonly replied: number;
  readonly silent: number;
}

interface TurnTimes {
  readonly repliedSince: string;
  readonly silentSince: string;
  readonly silentUntil: string;
}

/** Reads every shard: for a job only. Leaves out members with neither. A chat whose last message is the match's waits for the member. */
export async function readTurnsAfter(
  db: Db,
  after: number,
  { repliedSince, silentSince, silentUntil }: TurnTimes,
  limit: number,
): Promise<Turns[]> {
  const { rows } = await sql<Turns>`
    select member_no as "memberId",
      count(*) filter (where last_message_id <> last_received_id)::int as replied,
      count(*) filter (where last_message_id = last_received_id)::int as silent
    from inbox
    where member_no > ${after}::int8 and (
      (last_message_id <> last_received_id and last_received_id >= ${repliedSince}::uuid)
      or (last_message_id = last_received_id
        and last_received_id >= ${silentSince}::uuid and last_received_id < ${silentUntil}::uuid))
    group by member_no order by member_no limit ${sql.lit(limit)}`.execute(db);
  return rows;
}
