import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { serviceOfTest } from "../../testing/match.ts";
import { eventually } from "../../testing/test-service.ts";
import { connect, DatabaseUnreachableError, type Db, runLater, runPlanned, runTogether } from "./database.ts";
import { openLog } from "../log.ts";

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
  const { ctx } = await serviceOfTest();
  const limitOf = async (db: typeof ctx.db) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0];

  expect(await limitOf(ctx.searchDb)).toEqual({ statement_timeout: "1s" });
  expect(await limitOf(ctx.db)).toEqual({ statement_timeout: "0" });
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

test("what was left for later is answered once it went out with the commit", async () => {
  const { db } = await serviceOfTest();

  const readCounted = await db.transaction().execute(async (tx) => {
    await runLater(tx, spend(tx, "one"));
    return runLater(tx, countSpent(tx));
  });

  expect(await readCounted()).toEqual([{ n: 1 }]);
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

/** Ends, by the database's own hand, the connections that are at a statement beginning so; waits until there is one. */
const endAt = (db: Db, beginning: string, by: "pg_terminate_backend" | "pg_cancel_backend") =>
  eventually(async () => {
    const { rows } = await sql`
      select ${sql.raw(by)}(pid) from pg_stat_activity
      where query like ${`${beginning}%`} and state <> 'idle' and pid <> pg_backend_pid()
        and datname = current_database()`.execute(db);
    expect(rows).toHaveLength(1);
  });

test("a statement whose connection ends under it found no database; one that is refused or called off did", async () => {
  const { db } = await serviceOfTest();
  const endOf = async (beginning: string, by: "pg_terminate_backend" | "pg_cancel_backend") => {
    const waiting = sql
      .raw(`${beginning} pg_sleep(60)`)
      .execute(db)
      .catch((error: unknown) => error);
    await endAt(db, beginning, by);
    return waiting;
  };

  const calledOff = await endOf("select 1,", "pg_cancel_backend");
  const refused = await sql`select nothing`.execute(db).catch((error: unknown) => error);
  const ended = await endOf("select 2,", "pg_terminate_backend");

  for (const error of [calledOff, refused]) expect(error).toBeInstanceOf(pg.DatabaseError);
  expect(ended).toBeInstanceOf(DatabaseUnreachableError);
});

test("a transaction whose connection ends between two statements found no database, and the next one does", async () => {
  const { db } = await serviceOfTest();

  const cutOff = db.transaction().execute(async (tx) => {
    await sql`select 3`.execute(tx);
    await endAt(db, "select 3", "pg_terminate_backend");
    await runLater(tx, spend(tx, "one"));
    return await runTogether(tx, [countSpent(tx)]);
  });

  await expect(cutOff).rejects.toBeInstanceOf(DatabaseUnreachableError);
  await db.transaction().execute((tx) => tx.executeQuery(spend(tx, "two")));
  expect(await spent(db)).toBe(1);
});

test("where nobody listens there is no database", async () => {
  const nowhere = connect("postgres://alcove:x@127.0.0.1:1/alcove", openLog("silent"));
  onTestFinished(() => nowhere.close());

  const error = await sql`select 1`.execute(nowhere.db).catch((failure: unknown) => failure);

  expect(error).toBeInstanceOf(DatabaseUnreachableError);
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

test("who waits in vain for a connection is told so, and not left waiting", async () => {
  const { databaseUrl } = await serviceOfTest();
  const narrow = connect(databaseUrl, openLog("silent"), { size: 1, connectionMs: 1_000 });
  onTestFinished(() => narrow.close());

  await narrow.db.connection().execute(async (one) => {
    await sql`select 1`.execute(one);
    await expect(sql`select 1`.execute(narrow.db)).rejects.toBeInstanceOf(DatabaseUnreachableError);
  });

  expect((await sql`select 1`.execute(narrow.db)).rows).toHaveLength(1);
});
