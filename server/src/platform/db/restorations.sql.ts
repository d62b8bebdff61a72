import { randomUUID } from "node:crypto";
import type { Db } from "./database.ts";
import type { AppContext } from "../context.ts";

/** Names the database in its list of deletions. */
export async function readDatabaseId(db: Db): Promise<string> {
  const query = db.selectFrom("database_ids").select("database_id");
  return (await query.executeTakeFirstOrThrow()).database_id;
}

export async function deleteDatabaseId(db: Db): Promise<void> {
  await db.deleteFrom("database_ids").execute();
}

export async function recordRestoration(db: Db, backupAt: Date, now: Date): Promise<void> {
  const restoration = { restoration_id: randomUUID(), backup_at: backupAt, restored_at: now };
  await db.insertInto("restorations").values(restoration).execute();
}

export async function findPausedPayments(db: Db): Promise<{ backup_at: Date; restored_at: Date } | null> {
  const row = await db
    .selectFrom("restorations")
    .select(["backup_at", "restored_at"])
    .where("payments_resumed_at", "is", null)
    .orderBy("backup_at")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Effective at the next start of each process. Returns false if none were paused. */
export async function resumePayments({ db, clock }: AppContext): Promise<boolean> {
  const resumed = await db
    .updateTable("restorations")
    .set({ payments_resumed_at: clock.now() })
    .where("payments_resumed_at", "is", null)
    .returning("restoration_id")
    .execute();
  return resumed.length > 0;
}
