import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { hashPassword } from "../../src/accounts/passwords/passwords.ts";
import { readUpload } from "../../src/media/files.ts";
import { connect, type Db } from "../../src/platform/db/database.ts";
import { openLog } from "../../src/platform/log.ts";
import type { Secrets } from "../../src/platform/keys/secrets.ts";
import { ownService } from "../../src/testing/service-for-test.ts";
import { eventually } from "../../src/testing/test-service.ts";
import { withoutDatabase } from "../../src/testing/without-database.ts";

const run = promisify(execFile);
const DEPLOY = join(import.meta.dirname, "../../../deploy");
const read = async (file: string) => readFile(join(DEPLOY, file), "utf8");

test.each(["prometheus/alerts.yml", "grafana/alcove.json"])(
  "serves every metric that %s names",
  async (file) => {
    const service = await ownService();
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
  const service = await ownService();
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

test("measures how long a statement waits for a connection", async () => {
  const service = await ownService();
  const waitsMs: number[] = [];
  const recordWait = (ms: number) => void waitsMs.push(ms);
  const { db, close } = connect(service.databaseUrl, openLog("silent"), { size: 1, recordWait });
  onTestFinished(close);
  const read = (on: Db) => on.selectFrom("members").select("member_no").execute();

  const heldMs = await db.transaction().execute(async (tx) => {
    const waiting = read(db);
    onTestFinished(async () => void (await waiting));
    await read(tx); // the other statement waits by now
    const startedAt = performance.now();
    await read(tx);
    return performance.now() - startedAt;
  });

  await eventually(() => expect(waitsMs).toHaveLength(2));
  expect(waitsMs[1]).toBeGreaterThanOrEqual(heldMs);
  expect(await (await service.fetch("/metrics")).text()).toMatch(
    /^alcove_database_wait_seconds_count\{pool="database"\} [1-9]/m,
  );
});

test("counts passwords and pictures that wait", async () => {
  const service = await ownService();
  const metrics = async () => (await service.fetch("/metrics")).text();
  const secrets = { pepper: "0".repeat(64) } as Secrets;
  const hashes = Array.from({ length: 60 }, async (_, i) =>
    hashPassword(secrets, "quiet evenings at home", { account: `${i}`, isKnown: false }),
  );

  expect(await metrics()).toMatch(/^alcove_passwords_waiting [1-9]/m);
  await Promise.all(hashes);
  expect(await metrics()).toMatch(/^alcove_passwords_waiting 0$/m);

  const encoded = Promise.withResolvers<string>();
  const upload = readUpload("taro", new File(["picture"], "picture"), () => encoded.promise, "icon");
  expect(await metrics()).toMatch(/^alcove_uploads 1$/m);
  encoded.resolve("done");
  await upload;
  expect(await metrics()).toMatch(/^alcove_uploads 0$/m);
});
