import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";

/** Reads the pair's messages up to the first one from `sender`. */
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

export async function countOtherReceivers(
  tx: Tx,
  { member_no, link_digests, receiver_digest }: Sending,
  { daySince, periodSince }: { daySince: Date; periodSince: Date },
): Promise<{ ofAnyLink: number; ofOneLink: number }> {
  const { rows } = await sql<{ ofAnyLink: number; ofOneLink: number }>`
    with others as (
      select link_digest, receiver_digest, sent_at from sent_links
      where member_no = ${member_no} and receiver_digest <> ${receiver_digest} and sent_at >= ${periodSince}
    )
    select
      (select count(distinct receiver_digest)::int4 from others where sent_at >= ${daySince}) as "ofAnyLink",
      coalesce((
        select max(receivers) from (
          select count(*)::int4 as receivers from others
          where link_digest = any(${link_digests}::bytea[]) group by link_digest
        ) each
      ), 0) as "ofOneLink"`.execute(tx);
  return rows[0]!;
}

export async function recordLinks(tx: Tx, sending: Sending, sent_at: Date): Promise<void> {
  const { member_no, link_digests, receiver_digest } = sending;
  await tx
    .insertInto("sent_links")
    .values(link_digests.map((link_digest) => ({ member_no, link_digest, receiver_digest, sent_at })))
    .onConflict((conflict) =>
      conflict.columns(["member_no", "link_digest", "receiver_digest"]).doUpdateSet({ sent_at }),
    )
    .execute();
}

export async function deleteSentLinksBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("sent_links").where("sent_at", "<", before).execute();
}
