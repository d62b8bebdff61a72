import { sql } from "kysely";
import { columnsOf, type Db, runDeferred, type Tx } from "../platform/db/database.ts";

/** Runs with the next statement of the transaction. Skips members without a channel, and muted conversations. */
export async function insertEntries(
  tx: Tx,
  entries: readonly { member_no: number; entry_id: string; from_no: number | null }[],
  kind: "message" | "match",
): Promise<void> {
  const columns = columnsOf(entries);
  // The `case` keeps the lookup to these members in any plan.
  const statement = sql`
    insert into notification_outbox (member_no, entry_id, kind)
    select p.member_no, entry.entry_id, ${kind}::text
    from notification_preferences p
    join unnest(${columns.member_no}::int8[], ${columns.entry_id}::uuid[], ${columns.from_no}::int8[])
      entry (member_no, entry_id, from_no) using (member_no)
    where p.member_no = any(${columns.member_no}::int8[]) and p.has_channel
      and case when p.has_channel then (
        select i.is_muted from inbox i where i.member_no = p.member_no and i.other_no = entry.from_no
      ) end is not true`;
  await runDeferred(tx, statement.compile(tx));
}

/** Reads every shard. */
export async function findMembersWithEntries(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("notification_outbox")
    .select("member_no")
    .distinct()
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Deletes a member's entries and returns their kinds. */
export async function takeEntries(tx: Tx, memberId: number): Promise<("message" | "match")[]> {
  const rows = await tx
    .deleteFrom("notification_outbox")
    .where("member_no", "=", memberId)
    .returning("kind")
    .execute();
  return rows.map(({ kind }) => kind);
}
