import type { Db, Tx } from "../../platform/db/database.ts";
import type { ConsoleTables } from "../tables.ts";

export async function insertSession(tx: Tx, session: ConsoleTables["operator_sessions"]): Promise<void> {
  await tx.insertInto("operator_sessions").values(session).execute();
}

/** Returns null unless the session was opened and used after the given times. */
export async function touchSession(
  db: Db,
  sessionDigest: Buffer,
  { now, openedAfter, usedAfter }: { now: Date; openedAfter: Date; usedAfter: Date },
): Promise<{ operatorId: string; encryptedName: Buffer } | null> {
  const row = await db
    .updateTable("operator_sessions")
    .set({ used_at: now })
    .from("operators")
    .whereRef("operators.operator_id", "=", "operator_sessions.operator_id")
    .where("session_digest", "=", sessionDigest)
    .where("opened_at", ">", openedAfter)
    .where("used_at", ">", usedAfter)
    .where("removed_on", "is", null)
    .returning(["operators.operator_id as operatorId", "encrypted_name as encryptedName"])
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteSession(db: Db, sessionDigest: Buffer): Promise<void> {
  await db.deleteFrom("operator_sessions").where("session_digest", "=", sessionDigest).execute();
}

export async function deleteSessionsExcept(tx: Tx, operatorId: string, sessionDigest: Buffer): Promise<void> {
  await tx
    .deleteFrom("operator_sessions")
    .where("operator_id", "=", operatorId)
    .where("session_digest", "<>", sessionDigest)
    .execute();
}

export async function deleteSessionsUsedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("operator_sessions").where("used_at", "<", before).execute();
}
