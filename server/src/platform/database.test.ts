import { sql } from "kysely";
import { expect, test } from "vitest";
import { serviceOfTest } from "../testing/match.ts";
import { type Db, runLater, runPlanned, runTogether } from "./database.ts";

test("a planned statement is planned once a connection, however often it runs", async () => {
  const { db } = await serviceOfTest();

  const plans = await db.connection().execute(async (one) => {
    for (const number of [1, 2, 3]) {
      expect(await runPlanned(one, sql`select ${number}::int + 1 as next`.compile(one))).toEqual([
        { next: number + 1 },
      ]);
    }
    const { rows } = await sql<{ statement: string; runs: number }>`
      select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements`.execute(one);
    return rows;
  });

  expect(plans).toEqual([{ statement: "select $1::int + 1 as next", runs: 3 }]);
});

test("no statement of a search takes longer than a second, and others are not hurried", async () => {
  const { deps } = await serviceOfTest();
  const limitOf = async (db: typeof deps.db) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0];

  expect(await limitOf(deps.searchDb)).toEqual({ statement_timeout: "1s" });
  expect(await limitOf(deps.db)).toEqual({ statement_timeout: "0" });
});

const digestOf = (name: string) => Buffer.from(name);
const spend = (db: Db, name: string) =>
  sql`insert into spent_challenges values (${digestOf(name)}::bytea, '2100-01-01')`.compile(db);
const countSpent = (db: Db) =>
  sql<{ n: number }>`select count(*)::int as n from spent_challenges`.compile(db);
const spent = async (db: Db) => (await db.executeQuery(countSpent(db))).rows[0]!.n;

test("statements sent together are done in their order, after what was left for later", async () => {
  const { db } = await serviceOfTest();

  const counted = await db.transaction().execute(async (tx) => {
    await runLater(tx, spend(tx, "one"));
    const [before, , after] = await runTogether(tx, [countSpent(tx), spend(tx, "two"), countSpent(tx)]);
    await runLater(tx, spend(tx, "three"));
    return [before[0]?.n, after[0]?.n];
  });

  expect(counted).toEqual([1, 2]);
  expect(await spent(db)).toBe(3);
});

test("what was left for later and fails is told by the commit, and nothing of the transaction stays", async () => {
  const { db } = await serviceOfTest();

  const twice = db.transaction().execute(async (tx) => {
    await runLater(tx, spend(tx, "one"));
    await runLater(tx, spend(tx, "one"));
  });

  await expect(twice).rejects.toMatchObject({ code: "23505" });
  expect(await spent(db)).toBe(0);
});

test("one of several that fails is told, and the connection is as before", async () => {
  const { db } = await serviceOfTest();

  await db.connection().execute(async (one) => {
    const failing = one
      .transaction()
      .execute((tx) => runTogether(tx, [spend(tx, "one"), spend(tx, "one"), countSpent(tx)]));
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await one.executeQuery(spend(one, "two"));
  });

  expect(await spent(db)).toBe(1);
});

test("a transaction that ends before its first statement leaves nothing open and nothing for later", async () => {
  const { db } = await serviceOfTest();

  await db.connection().execute(async (one) => {
    const thought = one.transaction().execute(async (tx) => {
      await runLater(tx, spend(tx, "one"));
      throw new Error("thought better of it");
    });
    await expect(thought).rejects.toThrow("thought better of it");
    await one.executeQuery(spend(one, "two"));
    expect(await spent(db)).toBe(1);
  });
});
