import type { JobPayloads } from "../../registry.ts";
import { utcDay } from "../clock.ts";
import type { AppContext } from "../context.ts";
import type { Tx } from "../db/database.ts";
import * as rows from "./member-jobs.sql.ts";

type MemberJobName = {
  [Name in keyof JobPayloads & string]: JobPayloads[Name] extends { memberId: number }
    ? { memberId: number } extends JobPayloads[Name]
      ? Name
      : never
    : never;
}[keyof JobPayloads & string];

const BATCH_SIZE = 1_000;

/**
 * On a cluster, a crash can keep a change of one shard and lose its job. The member's shard therefore remembers the job
 * until it is done.
 */
export async function addMemberJob(
  tx: Tx,
  { clock, jobs }: AppContext,
  job: MemberJobName,
  memberId: number,
): Promise<void> {
  await rows.insertMemberJob(tx, { member_no: memberId, job, day: utcDay(clock.now()) });
  await jobs.add(tx, job, { memberId });
}

export function handleMemberJob(
  { db, jobs }: AppContext,
  job: MemberJobName,
  handler: (memberId: number) => Promise<void>,
): void {
  jobs.handle(job, async ({ memberId }) => {
    await handler(memberId);
    await rows.deleteMemberJob(db, memberId, job);
  });
}

export async function addLostMemberJobs({ db, clock, jobs }: AppContext): Promise<void> {
  for (const { member_no, job } of await rows.findMemberJobsBefore(db, utcDay(clock.now()), BATCH_SIZE)) {
    const key = `${job}:${member_no}`;
    await jobs.add(db, job as MemberJobName, { memberId: member_no }, { key });
  }
}
