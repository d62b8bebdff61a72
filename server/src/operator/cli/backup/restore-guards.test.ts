import { once } from "node:events";
import { text } from "node:stream/consumers";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { hold } from "../../../testing/hold.ts";
import { ownService } from "../../../testing/service-for-test.ts";
import { environmentOf, operator, operatorReading, startOperator } from "../../../testing/operator.ts";
import { createRestoreTarget, type RestoreTarget, temporaryFolder } from "../../../testing/restore-target.ts";
import { eventually } from "../../../testing/test-service.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 90_000 });
const SLOW_MS = 60_000;

async function backUp(
  service: { databaseUrl: string; dataDir: string },
  ...words: string[]
): Promise<string> {
  const to = `${await temporaryFolder()}/`;
  const { out, problems } = await operator(environmentOf(service), ...words, "--to", to, "--json");
  expect(problems).toBe("");
  return (JSON.parse(out) as { path: string }).path;
}

test("refuses a rotation during a restore, whose keys it would lose", { tags: "long" }, async () => {
  const service = await ownService();
  await service.member("hanako");
  const path = await backUp(service, "backup");
  const keys = await backUp(service, "keys", "backup");
  const place = await createRestoreTarget(service);
  const target = await ownService({ beside: { ...service, ...place } });
  await target.ctx.jobs.stop(); // like no running server
  const held = await hold(target.db, "alter sequence member_numbers increment by 1");
  const { deletionsDir } = service.ctx.config;
  const words = ["restore", "--from", path, "--keys", keys, "--deletions", deletionsDir];
  const command = startOperator(environmentOf(place), ...words);
  const ended = once(command, "close");
  const problems = text(command.stderr);
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'member_numbers'::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(target.db);
    expect(rows).not.toEqual([]);
  }, SLOW_MS);

  const rotation = await operator(environmentOf(place), "keys", "rotate");
  await held.release();

  expect(rotation).toMatchObject({
    code: 1,
    problems: expect.stringContaining("Another rotation or a restore is running."),
  });
  expect(await problems).toBe("");
  expect((await ended)[0]).toBe(0);
  expect(await operator(environmentOf(place), "members", "show", "hanako")).toMatchObject({ code: 0 });
});

test(
  "uses no member's number again after a second restore of the same backup",
  { tags: "long" },
  async () => {
    const service = await ownService();
    await service.member("hanako");
    const path = await backUp(service, "backup");
    const keys = await backUp(service, "keys", "backup");
    const restore = async (place: RestoreTarget, newestKeys: string) => {
      const { deletionsDir } = service.ctx.config;
      const words = ["restore", "--from", path, "--keys", newestKeys, "--deletions", deletionsDir];
      expect(await operator(environmentOf(place), ...words)).toMatchObject({ code: 0, problems: "" });
      return ownService({ beside: { ...service, ...place } });
    };
    const place = await createRestoreTarget(service);
    const first = await restore(place, keys);
    const xavier = await first.member("xavier");
    await first.close();
    const second = await restore(await createRestoreTarget(service), await backUp(place, "keys", "backup"));

    expect((await second.member("yoko")).memberId).toBeGreaterThan(xavier.memberId);
  },
);

test("refuses a list of deletions without a title, of another database, or younger than the backup", async () => {
  const service = await ownService();
  const path = await backUp(service, "backup");
  const keys = await backUp(service, "keys", "backup");
  const place = await createRestoreTarget(service);
  const { database_id: own } = await service.db
    .selectFrom("database_ids")
    .selectAll()
    .executeTakeFirstOrThrow();
  const title = (id: string, year: number) =>
    `# Deletions of database ${id} since ${year}-11-23T10:00:00.000Z. A restore applies this list.`;
  const list = join(await temporaryFolder(), "list.txt");
  const restore = async (content: string) => {
    await writeFile(list, content);
    const words = ["restore", "--from", path, "--keys", keys, "--deletions", list];
    return operator(environmentOf(place), ...words);
  };

  const noTitle = { code: 1, problems: expect.stringContaining("no title of the backup's database") };
  expect(await restore("anything\n4711 2026-11-23")).toMatchObject(noTitle);
  expect(await restore(title("00000000-0000-4000-8000-000000000001", 2020))).toMatchObject(noTitle);
  const younger = { code: 1, problems: expect.stringContaining("after the backup") };
  expect(await restore(title(own, 2099))).toMatchObject(younger);
  expect(await restore(title(own, 2020))).toMatchObject({ code: 0 });
});

test(
  "tests a restore without changing anything, and reports profiles that the keys do not open",
  { tags: "long" },
  async () => {
    const service = await ownService();
    const hanako = await service.member("hanako");
    await service.member("taro");
    const path = await backUp(service, "backup");
    const keys = await backUp(service, "keys", "backup");
    const words = [
      "restore",
      "test",
      "--from",
      path,
      "--keys",
      keys,
      "--deletions",
      service.ctx.config.deletionsDir,
    ];
    const before = await service.db.selectFrom("operator_log").selectAll().execute();

    const whole = await operator(environmentOf(service), ...words, "--json");
    await sql`update profiles set encrypted_profile = set_byte(encrypted_profile, 40, 255 - get_byte(encrypted_profile, 40))
    where member_no = ${hanako.memberId}`.execute(service.db);
    const damaged = await backUp(service, "backup");
    words[3] = damaged;
    words[5] = await backUp(service, "keys", "backup");
    // A process of its own has cached no profile.
    const broken = await operatorReading("", environmentOf(service), ...words);

    expect(JSON.parse(whole.out)).toMatchObject({ members: "2" });
    expect(await service.db.selectFrom("operator_log").selectAll().execute()).toHaveLength(before.length + 2);
    expect(broken).toEqual({ code: 1, out: "", problems: "The keys do not open the restored profiles.\n" });
  },
);
