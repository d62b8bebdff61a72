import { sql } from "kysely";
import { deleteMember } from "../../src/accounts/index.ts";
import { expect, test } from "vitest";
import { DAY_MS } from "../../src/platform/clock.ts";
import { eventually, testService, type TestService } from "../../src/testing/test-service.ts";
import { addLostMemberJobs } from "../../src/platform/jobs/member-jobs.ts";

const remembered = async ({ db }: TestService) =>
  (await db.selectFrom("member_jobs").select("job").execute()).map(({ job }) => job).toSorted();

test("forgets the jobs of a new and of a deleted member when they are done", async () => {
  const service = await testService();
  const taro = await service.member("taro");
  await deleteMember(service.ctx, taro.memberId);

  await eventually(async () => expect(await remembered(service)).toEqual([]));
});

test("adds the lost jobs of earlier days again", async () => {
  const service = await testService();
  const { ctx, db, clock } = service;
  await ctx.jobs.stop();
  const taro = await service.member("taro");
  await deleteMember(ctx, taro.memberId);
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`.execute(db); // a crash of the coordinator
  const verdict = { actor: 9_999, target: taro.memberId, liked: false, day: "2026-01-01", sequence_no: 1 };
  await db.insertInto("verdicts").values(verdict).execute();

  await addLostMemberJobs(ctx);
  expect(await waiting(service)).toEqual([]); // they may still run today
  clock.advance(DAY_MS);
  await addLostMemberJobs(ctx);
  await addLostMemberJobs(ctx);
  expect(await waiting(service)).toEqual(["apply_never_see", "clear_inviter", "delete_verdicts_about"]);
  await testService({ beside: service });

  await eventually(async () => expect(await remembered(service)).toEqual([]));
  expect(await db.selectFrom("verdicts").select("actor").execute()).toEqual([]);
});

async function waiting({ db }: TestService): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select task_identifier as name from graphile_worker.jobs where key is not null order by name`.execute(db);
  return rows.map(({ name }) => name);
}
