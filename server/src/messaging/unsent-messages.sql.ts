import type { Selectable } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { MessagingTables } from "./tables.ts";

export type UnsentRow = Selectable<MessagingTables["unsent_messages"]>;

export async function insertUnsent(tx: Tx, row: UnsentRow): Promise<void> {
  await tx.insertInto("unsent_messages").values(row).execute();
}

export async function findUnsent(db: Db, pair: string, id: string): Promise<UnsentRow | null> {
  const row = await db
    .selectFrom("unsent_messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function unsentOf(
  db: Db,
  pair: string,
  { sender, now }: { sender: number; now: Date },
  limit: number,
) {
  const query = db
    .selectFrom("unsent_messages")
    .select(["message_id", "kept_until"])
    .where("pair", "=", pair)
    .where("sender_no", "=", sender)
    .where("kept_until", ">", now)
    .orderBy("message_id", "desc")
    .limit(limit);
  return runPrepared(db, query.compile());
}

export async function unsentSince(
  db: Db,
  pair: string,
  { since, now }: { since: string; now: Date },
): Promise<UnsentRow[]> {
  return await db
    .selectFrom("unsent_messages")
    .selectAll()
    .where("pair", "=", pair)
    .where("message_id", ">=", since)
    .where("kept_until", ">", now)
    .execute();
}

/** Reads the whole table: for a job only. */
export async function findUnsentUntil(db: Db, now: Date): Promise<Pick<UnsentRow, "pair" | "message_id">[]> {
  return await db
    .selectFrom("unsent_messages")
    .select(["pair", "message_id"])
    .where("kept_until", "<=", now)
    .execute();
}

/** All of the pair, if empty. */
export interface WhichUnsent {
  readonly id?: string;
  readonly sender?: number;
}

export async function deleteUnsent(tx: Tx, pair: string, { id, sender }: WhichUnsent): Promise<UnsentRow[]> {
  return await tx
    .deleteFrom("unsent_messages")
    .where("pair", "=", pair)
    .$if(id !== undefined, (query) => query.where("message_id", "=", id!))
    .$if(sender !== undefined, (query) => query.where("sender_no", "=", sender!))
    .returningAll()
    .execute();
}

export async function hasUnsent(tx: Tx, pair: string): Promise<boolean> {
  const query = tx.selectFrom("unsent_messages").select("message_id").where("pair", "=", pair).limit(1);
  return (await query.execute()).length > 0;
}

/** Scans the table: for a restore only. */
export async function deleteUnsentWithoutKey(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("unsent_messages")
    .where("key_id", "not in", (query) => query.selectFrom("data_keys").select("key_id"))
    .execute();
}

export function unsentKeys(db: Db | Tx) {
  return db.selectFrom("unsent_messages").select("key_id");
}
