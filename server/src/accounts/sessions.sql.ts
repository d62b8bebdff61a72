import type { Db, Tx } from "../platform/database.ts";

export async function insertSession(
  tx: Tx,
  session: {
    session_id: string;
    member_no: number;
    user_id: string;
    refresh_digest: Buffer;
    device_digest: Buffer;
    created_at: Date;
    refreshed_at: Date;
    expires_at: Date;
  },
): Promise<void> {
  await tx.insertInto("sessions").values(session).execute();
}

/** One look-up by primary key: what each request of a member asks. */
export async function findLivingSession(db: Db, session: string, now: Date) {
  return db
    .selectFrom("sessions")
    .select(["member_no", "user_id"])
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** The member of a session that may have ended. */
export async function findSessionMember(db: Db, session: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("sessions")
    .select("member_no")
    .where("session_id", "=", session)
    .executeTakeFirst();
  return row?.member_no;
}

/** Swaps the refresh token; of parallel tries with one token the first alone finds it. */
export async function swapRefreshToken(
  db: Db,
  session: string,
  swap: { from: Buffer; to: Buffer; now: Date; expires_at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable("sessions")
    .set({ refresh_digest: swap.to, refreshed_at: swap.now, expires_at: swap.expires_at })
    .where("session_id", "=", session)
    .where("refresh_digest", "=", swap.from)
    .where("ended_at", "is", null)
    .where("expires_at", ">", swap.now)
    .returning("session_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Answers whether the session lived until now. */
export async function endSession(db: Db, session: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .returning("session_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Rare, so it may ask every shard. */
export async function endSessionsOf(tx: Tx, no: number, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("member_no", "=", no)
    .where("ended_at", "is", null)
    .execute();
}

/** Rare, so it may ask every shard. */
export async function deleteSessionsOf(tx: Tx, no: number): Promise<void> {
  await tx.deleteFrom("sessions").where("member_no", "=", no).execute();
}

export async function deleteSessionsExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<", at).execute();
}
