import type { Insertable, Selectable } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { DiscoveryTables } from "./tables.ts";

export type LastVerdict = Selectable<DiscoveryTables["last_verdicts"]>;

export async function readLastVerdict(db: Db, memberId: number): Promise<LastVerdict | null> {
  const row = await db
    .selectFrom("last_verdicts")
    .selectAll()
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertLastVerdict(
  tx: Tx,
  verdict: Omit<Insertable<DiscoveryTables["last_verdicts"]>, "is_undone">,
): Promise<void> {
  const { member_no: _, ...changed } = { ...verdict, is_undone: false };
  await tx
    .insertInto("last_verdicts")
    .values(verdict)
    .onConflict((conflict) => conflict.column("member_no").doUpdateSet(changed))
    .execute();
}

export async function markUndone(tx: Tx, memberId: number): Promise<void> {
  await tx.updateTable("last_verdicts").set({ is_undone: true }).where("member_no", "=", memberId).execute();
}

export async function deleteLastVerdict(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("last_verdicts").where("member_no", "=", memberId).execute();
}

export async function deleteLastVerdictOf(tx: Tx, memberId: number, target: number): Promise<void> {
  await tx
    .deleteFrom("last_verdicts")
    .where("member_no", "=", memberId)
    .where("target", "=", target)
    .execute();
}

/** Reads the whole table: for a job only. */
export async function deleteLastVerdictsAbout(db: Db, target: number): Promise<void> {
  await db.deleteFrom("last_verdicts").where("target", "=", target).execute();
}
