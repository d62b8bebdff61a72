import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceForTest } from "./match.ts";
import { eventually } from "./test-service.ts";
import { withoutDatabase } from "./without-database.ts";

const run = promisify(execFile);
const DEPLOY = join(import.meta.dirname, "../../../deploy");
const read = async (file: string) => readFile(join(DEPLOY, file), "utf8");

test.each(["prometheus/alerts.yml", "grafana/alcove.json"])(
  "serves every metric that %s names",
  async (file) => {
    const service = await serviceForTest();
    const text = await (await service.fetch("/metrics")).text();
    const served = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));

    const named = [...(await read(file)).matchAll(/\balcove_\w+/g)].map(([name]) => name);

    expect(named.length).toBeGreaterThan(10);
    const isServed = (name: string) =>
      served.has(name) || served.has(name.replace(/_(?:bucket|count|sum)$/, ""));
    expect(named.filter((name) => !isServed(name))).toEqual([]);
  },
);

test("fires each alert once", async () => {
  const alerts = [...(await read("prometheus/alerts.yml")).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const tested = [...(await read("prometheus/alerts.test.yml")).matchAll(/- name: (\w+)/g)].map(
    ([, name]) => name,
  );
  expect(tested).toEqual(alerts);

  const { stdout } = await run("promtool", ["test", "rules", join(DEPLOY, "prometheus/alerts.test.yml")]);

  expect(stdout).toContain("SUCCESS");
});

test("measures jobs and the queue, which is unknown while the database is down", async () => {
  const service = await serviceForTest();
  const metrics = async () => (await service.fetch("/metrics")).text();
  await service.member("hanako");

  await eventually(async () =>
    expect(await metrics()).toMatch(/alcove_job_duration_seconds_count\{job="\w+",outcome="done"\} [1-9]/),
  );
  expect(await metrics()).toMatch(/^alcove_database_up 1$[^]*^alcove_jobs_due \d+$/m);
  await withoutDatabase(service.databaseUrl, async () => {
    expect(await metrics()).toMatch(/^alcove_database_up 0$[^]*^alcove_jobs_due Nan$/m);
  });
});
