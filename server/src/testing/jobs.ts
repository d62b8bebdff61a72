import { sql } from "kysely";
import type { TestService } from "./test-service.ts";

/** Reads a private table of the worker, because its view has no payloads. */
export async function storedEmailJobs({ db }: TestService): Promise<string[]> {
  const { rows } = await sql<{ payload: string }>`
    select payload::text as payload from graphile_worker._private_jobs
    where payload ->> 'emailId' is not null order by id`.execute(db);
  return rows.map(({ payload }) => payload);
}

export async function makeJobsDue({ db }: TestService): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    from graphile_worker.jobs where run_at > now()`.execute(db);
}
