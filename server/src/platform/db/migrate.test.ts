import { sql, type Kysely } from "kysely";
import { expect, test } from "vitest";
import { migrations } from "../../../migrations/index.ts";
import { connect } from "./database.ts";
import { migrate } from "./migrate.ts";
import { nameByContent, statementsOf } from "./migration-names.ts";
import { createRestoreTarget } from "../../testing/restore-target.ts";
import { ownService } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";

const creating = (columns: string) => ({
  up: async (db: Kysely<unknown>) => void (await sql`create table things (${sql.raw(columns)})`.execute(db)),
});

test("names a migration by its statements", async () => {
  const [name] = Object.keys(await nameByContent({ "0001_things": creating("id int8") }));
  const [same] = Object.keys(await nameByContent({ "0001_things": creating("id int8") }));
  const [edited] = Object.keys(await nameByContent({ "0001_things": creating("id int4") }));

  expect(name).toMatch(/^0001_things_[0-9a-f]{12}$/);
  expect(same).toBe(name);
  expect(edited).not.toBe(name);
});

test("names every migration of this version differently and keeps their order", async () => {
  const names = Object.keys(await nameByContent(migrations));

  expect(names.map((name) => name.slice(0, -13))).toEqual(Object.keys(migrations));
  expect(new Set(names.map((name) => name.slice(-12))).size).toBe(names.length);
});

test("has only migrations that also run on distributed tables", async () => {
  const all = await Promise.all(Object.values(migrations).map(statementsOf));
  const texts = all.flat().map((statement) => statement.sql.trim().toLowerCase());
  const changes = texts.filter((text) => text.startsWith("alter table"));
  const severalSubcommands = changes.filter(
    (text) =>
      text.includes("add constraint") &&
      (text.match(/\b(add|drop|alter) (column|constraint)\b/g) ?? []).length > 1,
  );

  expect(texts.length).toBeGreaterThan(80);
  expect(severalSubcommands).toEqual([]);
  expect(changes.filter((text) => /add column[^]*\b(check|unique|references)\b/.test(text))).toEqual([]);
  expect(texts.filter((text) => /^(update|delete|merge|with)\b/.test(text))).toEqual([]);
});

test("migrates an empty database once when ten processes start at the same time", async () => {
  const service = await ownService();
  const { databaseUrl } = await createRestoreTarget(service);
  const databases = Array.from({ length: 10 }, () => connect(databaseUrl, service.ctx.log, { size: 2 }));

  const outcomes = await Promise.allSettled(databases.map((database) => migrate(database, service.ctx.log)));
  const { rows } = await databases[0]!.pool.query<{ name: string }>("select name from kysely_migration");
  for (const database of databases) await database.close();

  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(await nameByContent(migrations)));
});

test("lets other processes read while it waits for a lock", async () => {
  const { databaseUrl, db, ctx } = await ownService();
  const database = connect(databaseUrl, ctx.log, { size: 2 });
  const step = {
    up: async (to: Kysely<unknown>) =>
      void (await sql`alter table profiles add column wide int8`.execute(to)),
  };
  const reader = await database.pool.connect();
  await reader.query("begin");
  await reader.query("select from profiles");

  const migrated = migrate(database, ctx.log, { ...migrations, "9000_wide": step });
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'profiles'::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    expect(rows).toHaveLength(1);
  });
  const read = await db.selectFrom("profiles").select("member_no").execute();
  await reader.query("commit");
  reader.release();

  expect(read).toEqual([]);
  expect(await migrated).toEqual([expect.stringMatching(/^9000_wide_/)]);
  await database.close();
});

test.each([
  [
    "an edited migration",
    "update kysely_migration set name = '0001_members_0123456789ab' where name like '0001%'",
  ],
  ["a migration of a newer version", "insert into kysely_migration values ('9999_newer', '2026-01-01')"],
  ["names without digests", "update kysely_migration set name = left(name, -13)"],
])("rejects a database with %s before any change", async (_, change) => {
  const { databaseUrl, ctx } = await ownService();
  const database = connect(databaseUrl, ctx.log, { size: 2 });
  await database.pool.query(change);
  await database.pool.query("delete from kysely_migration where name like '0033%'"); // pending

  await expect(migrate(database, ctx.log)).rejects.toThrow("the database has another schema");

  const { rows } = await database.pool.query("select from kysely_migration where name like '0033%'");
  expect(rows).toEqual([]);
  await database.close();
});
