import { sql } from "kysely";
import { type Db, runLater, type Tx } from "../platform/database.ts";

/** One statement on one shard; writes nothing for a member whom nothing tells. */
export async function insertNews(
  tx: Tx,
  { member_no, news_id, kind }: { member_no: number; news_id: string; kind: "message" | "match" },
): Promise<void> {
  const statement = sql`
    insert into news (member_no, news_id, kind)
    select member_no, ${news_id}::uuid, ${kind}::text from notices where member_no = ${member_no}::int8 and listens`;
  await runLater(tx, statement.compile(tx));
}

/** Members for whom something waits; asks every shard. */
export async function membersWithNews(db: Db, limit: number): Promise<number[]> {
  const rows = await db.selectFrom("news").select("member_no").distinct().limit(limit).execute();
  return rows.map(({ member_no }) => member_no);
}

/** Takes what waits for a member out of the table, and answers of what kinds it was. */
export async function takeNews(tx: Tx, no: number): Promise<("message" | "match")[]> {
  const rows = await tx.deleteFrom("news").where("member_no", "=", no).returning("kind").execute();
  return rows.map(({ kind }) => kind);
}
