import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

/** Whether `sender` has written in the conversation of a pair: reads the pair's messages until the first of its. */
export async function hasWritten(tx: Tx, pair: string, sender: number): Promise<boolean> {
  const row = await tx
    .selectFrom("messages")
    .select("message_id")
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface Sending {
  member_no: number;
  link_digests: readonly Buffer[];
  receiver_digest: Buffer;
}

/**
 * To how many others than this receiver the member has sent any link after `dayBegan`, and the most that one of these
 * links went to after `weekBegan`. A range read of the primary key.
 */
export async function countOthers(
  tx: Tx,
  { member_no, link_digests, receiver_digest }: Sending,
  { dayBegan, weekBegan }: { dayBegan: Date; weekBegan: Date },
): Promise<{ any: number; same: number }> {
  const { rows } = await sql<{ any: number; same: number }>`
    with others as (
      select link_digest, receiver_digest, sent_at from links_sent
      where member_no = ${member_no} and receiver_digest <> ${receiver_digest} and sent_at > ${weekBegan}
    )
    select
      (select count(distinct receiver_digest)::int4 from others where sent_at > ${dayBegan}) as any,
      coalesce((
        select max(receivers) from (
          select count(*)::int4 as receivers from others
          where link_digest = any(${link_digests}::bytea[]) group by link_digest
        ) each
      ), 0) as same`.execute(tx);
  return rows[0]!;
}

export async function recordLinks(tx: Tx, sending: Sending, sent_at: Date): Promise<void> {
  const { member_no, link_digests, receiver_digest } = sending;
  await tx
    .insertInto("links_sent")
    .values(link_digests.map((link_digest) => ({ member_no, link_digest, receiver_digest, sent_at })))
    .onConflict((conflict) =>
      conflict.columns(["member_no", "link_digest", "receiver_digest"]).doUpdateSet({ sent_at }),
    )
    .execute();
}

export async function deleteLinksBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("links_sent").where("sent_at", "<=", before).execute();
}
