import { sql } from "kysely";
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

/** Returns the count of the hour, this one included. */
export async function countSignUp(db: Db, hour: Date): Promise<number> {
  const { requests } = await db
    .insertInto("sign_up_hours")
    .values({ hour, requests: 1 })
    .onConflict((conflict) =>
      conflict.column("hour").doUpdateSet({ requests: sql<number>`sign_up_hours.requests + 1` }),
    )
    .returning("requests")
    .executeTakeFirstOrThrow();
  return requests;
}

/** An hour without a row had no sign-up. */
export async function readMedianHour(
  db: Db,
  { since, before }: { since: Date; before: Date },
  hours: number,
): Promise<number> {
  const row = await db
    .selectFrom("sign_up_hours")
    .select("requests")
    .where("hour", ">=", since)
    .where("hour", "<", before)
    .orderBy("requests", "desc")
    .offset(Math.floor(hours / 2))
    .limit(1)
    .executeTakeFirst();
  return row?.requests ?? 0;
}

export async function deleteSignUpHours(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("sign_up_hours").where("hour", "<", before).execute();
}
