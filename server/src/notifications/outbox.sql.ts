import { type RawBuilder, sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";

/** `notice`: something else to read in the app. `device`: a login from an unknown device. */
export type EntryKind = "message" | "match" | "notice" | "device";

interface NewEntry {
  readonly memberId: number;
  readonly from: number | null;
  readonly entryId: string;
  readonly kind: EntryKind;
  readonly onlyIf?: RawBuilder<unknown>;
}

/** Skips members without a channel, and muted conversations. Also a part of the statement that stores a message. */
export const insertEntry = ({ memberId, from, entryId, kind, onlyIf = sql`true` }: NewEntry) => sql<{
  member_no: number;
}>`
  insert into notification_outbox (member_no, entry_id, kind)
  select p.member_no, ${entryId}::uuid, ${kind}::text
  from notification_preferences p
  where p.member_no = ${memberId}::int8 and p.has_channel and ${onlyIf}
    and not exists (
      select from inbox b where b.member_no = ${memberId}::int8 and b.other_no = ${from}::int8 and b.is_muted)
  returning member_no`;

export async function addEntry(tx: Tx, entry: NewEntry): Promise<boolean> {
  return (await runPrepared(tx, insertEntry(entry).compile(tx))).length > 0;
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

export async function takeEntries(tx: Tx, memberId: number): Promise<EntryKind[]> {
  const rows = await tx
    .deleteFrom("notification_outbox")
    .where("member_no", "=", memberId)
    .returning("kind")
    .execute();
  return rows.map(({ kind }) => kind);
}
