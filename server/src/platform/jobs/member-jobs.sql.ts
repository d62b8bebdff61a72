import type { Db, Tx } from "../db/database.ts";
import type { PlatformTables } from "../tables.ts";

type MemberJob = PlatformTables["member_jobs"];

export async function insertMemberJob(tx: Tx, job: MemberJob): Promise<void> {
  await tx
    .insertInto("member_jobs")
    .values(job)
    .onConflict((conflict) =>
      conflict.columns(["member_no", "job"]).doUpdateSet((eb) => ({ day: eb.ref("excluded.day") })),
    )
    .execute();
}

export async function deleteMemberJob(db: Db, memberId: number, job: string): Promise<void> {
  await db.deleteFrom("member_jobs").where("member_no", "=", memberId).where("job", "=", job).execute();
}

/** Reads every shard: for a job only. */
export async function findMemberJobsBefore(db: Db, day: string, limit: number): Promise<MemberJob[]> {
  return db
    .selectFrom("member_jobs")
    .selectAll()
    .where("day", "<", day)
    .orderBy("day")
    .limit(limit)
    .execute();
}
