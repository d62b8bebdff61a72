import { CompiledQuery } from "kysely";
import { type Db, runDeferred, type Tx } from "../platform/db/database.ts";

/** A plain string, because it runs for each message. */
const INSERT_ENTRY = `
  insert into notification_outbox (member_no, entry_id, kind)
  select p.member_no, $2::uuid, $3::text
  from notification_preferences p
  where p.member_no = $1::int8 and p.has_channel
    and not exists (
      select from inbox i where i.member_no = $1::int8 and i.other_no = $4::int8 and i.is_muted)
  returning member_no`;

/**
 * Runs with the next statement of the transaction. Skips members without a channel, and muted conversations. Returns a
 * function that reads whether there are entries.
 */
export async function insertEntries(
  tx: Tx,
  entries: readonly { member_no: number; entry_id: string; from_no: number | null }[],
  kind: "message" | "match",
): Promise<() => Promise<boolean>> {
  const inserted: (() => Promise<unknown[]>)[] = [];
  for (const { member_no, entry_id, from_no } of entries) {
    const statement = CompiledQuery.raw(INSERT_ENTRY, [member_no, entry_id, kind, from_no]);
    inserted.push(await runDeferred(tx, statement));
  }
  return async () => (await Promise.all(inserted.map((read) => read()))).flat().length > 0;
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

export async function takeEntries(tx: Tx, memberId: number): Promise<("message" | "match")[]> {
  const rows = await tx
    .deleteFrom("notification_outbox")
    .where("member_no", "=", memberId)
    .returning("kind")
    .execute();
  return rows.map(({ kind }) => kind);
}
