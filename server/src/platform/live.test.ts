import pg from "pg";
import { afterEach, expect, inject, test, vi } from "vitest";
import { Live, PostgresBus } from "./live.ts";
import { openLog } from "./log.ts";

const log = openLog("silent");
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function process(): Promise<{ live: Live; pool: pg.Pool }> {
  const url = inject("postgresUrl");
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const live = new Live(new PostgresBus(pool, url, log), log);
  await live.open();
  closes.push(async () => {
    await live.close();
    await pool.end();
  });
  return { live, pool };
}

test("each process hears a hint once, the one that told it included", async () => {
  const [here, there] = [await process(), await process()];
  const heard: string[] = [];
  here.live.on("member_ended", ({ no }) => void heard.push(`here ${no}`));
  there.live.on("member_ended", ({ no }) => void heard.push(`there ${no}`));

  for (let no = 0; no < 2_000; no++) here.live.tell("member_ended", { no });

  await vi.waitFor(() => expect(heard.filter((each) => each.startsWith("there"))).toHaveLength(2_000));
  expect(heard.filter((each) => each.startsWith("here"))).toHaveLength(2_000);
  expect(new Set(heard).size).toBe(4_000);
});

test("a lost connection is opened again, and everybody is told of the gap", async () => {
  const { live, pool } = await process();
  const other = await process();
  const gap = new Promise<void>((done) => live.onGap(done));
  const heard: number[] = [];
  live.on("member_ended", ({ no }) => void heard.push(no));

  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'alcove live'",
  );
  await gap;

  expect(live.isUp()).toBe(true);
  await vi.waitFor(() => expect(other.live.isUp()).toBe(true));
  other.live.tell("member_ended", { no: 7 });
  await vi.waitFor(() => expect(heard).toEqual([7]));
});

test("a hint that cannot be acted on harms no other", async () => {
  const { live } = await process();
  const heard: number[] = [];
  live.on("member_ended", async () => Promise.reject(new Error("cannot")));
  live.on("member_ended", ({ no }) => void heard.push(no));

  live.tell("member_ended", { no: 1 });

  expect(heard).toEqual([1]);
});
