import type { Db } from "../../platform/db/database.ts";

/** Returns false for a used challenge. */
export async function spendChallenge(db: Db, challenge_digest: Buffer, expires_at: Date): Promise<boolean> {
  const row = await db
    .insertInto("spent_challenges")
    .values({ challenge_digest, expires_at })
    .onConflict((conflict) => conflict.column("challenge_digest").doNothing())
    .returning("expires_at")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSpentChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("spent_challenges").where("expires_at", "<=", now).execute();
}
