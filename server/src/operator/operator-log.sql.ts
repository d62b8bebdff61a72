import type { Db } from "../platform/database.ts";

export async function insertEntry(
  db: Db,
  entry: { entry_id: string; at: Date; act: string; subject: string; reason: string | null },
): Promise<void> {
  await db.insertInto("operator_log").values(entry).execute();
}
