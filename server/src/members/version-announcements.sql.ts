import type { Db, Tx } from "../platform/db/database.ts";

/** Scans the table: for a job only. */
export async function findUnannounced(
  db: Db,
  version: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const found = await db
    .selectFrom("members")
    .select("member_no")
    .where("member_no", ">", after)
    .where("encrypted_email", "is not", null)
    .where((eb) => eb.or([eb("version_announced", "is", null), eb("version_announced", "<>", version)]))
    .orderBy("member_no")
    .limit(limit)
    .execute();
  return found.map(({ member_no }) => member_no);
}

/** Returns null if another process was first. */
export async function takeAnnouncement(tx: Tx, memberId: number, version: string) {
  const row = await tx
    .updateTable("members")
    .set({ version_announced: version })
    .where("member_no", "=", memberId)
    .where((eb) => eb.or([eb("version_announced", "is", null), eb("version_announced", "<>", version)]))
    .returning(["terms_version as terms", "privacy_version as privacy"])
    .executeTakeFirst();
  return row ?? null;
}
