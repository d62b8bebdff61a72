import { randomUUID } from "node:crypto";
import type { Db } from "./database.ts";
import type { AppContext } from "../context.ts";

/** Notes that this database is what a backup of `backupAt` held: payments rest until the operator releases them. */
export async function noteRestoration(db: Db, backupAt: Date, now: Date): Promise<void> {
  const restoration = { restoration_id: randomUUID(), backup_at: backupAt, restored_at: now };
  await db.insertInto("restorations").values(restoration).execute();
}

/** Whether payments rest since this database was restored; of which moment it is then. */
export async function findPaymentsHeld(db: Db): Promise<{ backup_at: Date; restored_at: Date } | null> {
  const row = await db
    .selectFrom("restorations")
    .select(["backup_at", "restored_at"])
    .where("payments_released_at", "is", null)
    .orderBy("backup_at")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Lets payments go on, from the next start of each process. False when none rested. */
export async function releasePayments({ db, clock }: AppContext): Promise<boolean> {
  const released = await db
    .updateTable("restorations")
    .set({ payments_released_at: clock.now() })
    .where("payments_released_at", "is", null)
    .returning("restoration_id")
    .execute();
  return released.length > 0;
}
