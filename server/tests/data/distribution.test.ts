import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { KEYS } from "../../src/testing/distribution.ts";
import { testService, type TestService } from "../../src/testing/test-service.ts";

const KEY_TYPES = new Set(["int8", "int4", "text", "bytea", "uuid"]);

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

test("lists the distribution column of every table", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(service.db);

  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(KEYS).toSorted());
});

test("includes the distribution column in every primary key and unique constraint", async () => {
  const { rows } = await sql<{ relation: string; rule: string; columns: string[] }>`
    select t.relname as relation, i.relname as rule,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x
    join pg_class t on t.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'public'::regnamespace and x.indisunique`.execute(service.db);

  const withoutKey = rows.filter(({ relation, columns }) => {
    const spread = KEYS[relation];
    return spread?.key && !columns.includes(spread.key);
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(withoutKey).toEqual([]);
});

test("has a primary key on every table", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class t
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select from pg_index x where x.indrelid = t.oid and x.indisprimary)`.execute(
    service.db,
  );

  expect(rows).toEqual([]);
});

test("keeps foreign keys within a colocation group, with both distribution columns", async () => {
  const { rows } = await sql<{
    rule: string;
    from: string;
    to: string;
    own: string[];
    theirs: string[];
    act: string;
  }>`
    select c.conname as rule, c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
      array(select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any(c.conkey)) as own,
      array(select attname::text from pg_attribute where attrelid = c.confrelid and attnum = any(c.confkey)) as theirs,
      c.confdeltype::text as act
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace`.execute(service.db);

  const wrong = rows.filter(({ from, to, own, theirs, act }) => {
    const [here, there] = [KEYS[from], KEYS[to]];
    const isWithin = here?.key && there?.key && here.group === there.group;
    return !isWithin || !own.includes(here.key!) || !theirs.includes(there.key!) || !["a", "c"].includes(act);
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test("uses no generated, serial or undistributable key", async () => {
  const { rows } = await sql<{ relation: string; name: string; type: string; made: boolean }>`
    select t.relname as relation, a.attname as name, y.typname as type,
      a.attgenerated <> '' or a.attidentity <> '' or
        coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as made
    from pg_attribute a
    join pg_class t on t.oid = a.attrelid
    join pg_type y on y.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.attnum > 0 and not a.attisdropped`.execute(
    service.db,
  );

  const keys = rows.filter(({ relation, name }) => KEYS[relation]?.key === name);
  expect(keys).toHaveLength(Object.values(KEYS).filter((spread) => spread?.key).length);
  const typesOfGroups = Map.groupBy(keys, ({ relation }) => KEYS[relation]!.group);
  for (const [group, members] of typesOfGroups)
    expect([group, new Set(members.map(({ type }) => type)).size]).toEqual([group, 1]);
  const types = [...typesOfGroups.values()].map((members) => members[0]!.type);
  expect(new Set(types).size).toBe(types.length); // one group for each type of key
  expect(keys.filter(({ type, made }) => made || !KEY_TYPES.has(type))).toEqual([]);
  expect(rows.filter(({ relation, made }) => KEYS[relation] && made)).toEqual([]);
});

test("has no triggers or rules", async () => {
  const { rows: triggers } = await sql<{ name: string }>`
    select tgname as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = 'public'::regnamespace and not g.tgisinternal`.execute(service.db);
  const { rows: rules } = await sql<{ name: string }>`
    select rulename as name from pg_rules where schemaname = 'public'`.execute(service.db);

  expect([...triggers, ...rules]).toEqual([]);
});

test("does not refer to the job tables", async () => {
  const { rows } = await sql<{ rule: string }>`
    select conname as rule from pg_constraint c
    join pg_class there on there.oid = c.confrelid join pg_class here on here.oid = c.conrelid
    where c.contype = 'f' and (here.relnamespace = 'graphile_worker'::regnamespace)
      <> (there.relnamespace = 'graphile_worker'::regnamespace)`.execute(service.db);

  expect(rows).toEqual([]);
});
