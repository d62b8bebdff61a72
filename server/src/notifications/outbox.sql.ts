import { sql } from "kysely";
import { columnsOf, type Db, runDeferred, type Tx } from "../platform/db/database.ts";

/** Writes nothing for a member whom nothing tells. Goes out with the transaction's next statement. */
export async function insertNews(
  tx: Tx,
  news: readonly { member_no: number; news_id: string }[],
  kind: "message" | "match",
): Promise<void> {
  const all = columnsOf(news);
  const statement = sql`
    insert into news (member_no, news_id, kind)
    select n.member_no, one.news_id, ${kind}::text
    from notices n join unnest(${all.member_no}::int8[], ${all.news_id}::uuid[]) one (member_no, news_id) using (member_no)
    where n.member_no = any(${all.member_no}::int8[]) and n.listens`;
  await runDeferred(tx, statement.compile(tx));
}

/** Members for whom something waits; asks every shard. */
export async function membersWithNews(db: Db, limit: number): Promise<number[]> {
  const rows = await db.selectFrom("news").select("member_no").distinct().limit(limit).execute();
  return rows.map(({ member_no }) => member_no);
}

/** Takes what waits for a member out of the table, and answers of what kinds it was. */
export async function takeNews(tx: Tx, memberId: number): Promise<("message" | "match")[]> {
  const rows = await tx.deleteFrom("news").where("member_no", "=", memberId).returning("kind").execute();
  return rows.map(({ kind }) => kind);
}
