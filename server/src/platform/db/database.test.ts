import { AbortedTransactionError, sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startNetworkProxy } from "@alcove/test-services/network-proxy";
import { ownService } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";
import { connect, type Db, runPrepared } from "./database.ts";
import { DatabaseUnavailableError, isOutage } from "./errors.ts";
import { openLog } from "../log.ts";

test("prepares a statement once in each connection when it runs several times", async () => {
  const { db } = await ownService();

  const plans = await db.connection().execute(async (one) => {
    for (const number of [1, 2, 3]) {
      expect(await runPrepared(one, sql`select ${number}::int + 1 as next`.compile(one))).toEqual([
        { next: number + 1 },
      ]);
    }
    const { rows } = await sql<{ statement: string; runs: number }>`
      select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements`.execute(one);
    return rows;
  });

  expect(plans).toEqual([{ statement: "select $1::int + 1 as next", runs: 3 }]);
});

test("limits only statements of a search to a second, and waits for locks to five", async () => {
  const { ctx } = await ownService();
  const limitsOf = async (db: typeof ctx.db) => {
    const { rows } = await sql<{ value: string }>`
      select current_setting(name) as value from unnest(array['statement_timeout', 'lock_timeout']) name`.execute(
      db,
    );
    return rows.map(({ value }) => value);
  };

  expect(await limitsOf(ctx.searchDb)).toEqual(["1s", "0"]);
  expect(await limitsOf(ctx.db)).toEqual(["0", "5s"]);
});

const digestOf = (name: string) => Buffer.from(name);
const spend = (db: Db, name: string) =>
  sql`insert into spent_challenges values (${digestOf(name)}::bytea, '2100-01-01')`.compile(db);
const countSpent = (db: Db) =>
  sql<{ n: number }>`select count(*)::int as n from spent_challenges`.compile(db);
const count = async (db: Db) => (await db.executeQuery(countSpent(db))).rows[0]!.n;

test("throws the first error and keeps the connection usable when a statement of a transaction fails", async () => {
  const { db } = await ownService();

  await db.connection().execute(async (one) => {
    const failing = one.transaction().execute(async (tx) => {
      for (const name of ["one", "one", "two"]) await tx.executeQuery(spend(tx, name));
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await one.executeQuery(spend(one, "two"));
  });

  expect(await count(db)).toBe(1);
});

test("throws at the commit when an error of the transaction was caught", async () => {
  const { db } = await ownService();

  const aborted = db.transaction().execute(async (tx) => {
    await sql`select nothing`.execute(tx).catch(() => undefined);
  });

  await expect(aborted).rejects.toBeInstanceOf(AbortedTransactionError);
});

/** Cancels the running statement with this beginning, or ends its connection, as soon as there is one. */
const endRunning = (db: Db, beginning: string, by: "pg_terminate_backend" | "pg_cancel_backend") =>
  eventually(async () => {
    const { rows } = await sql`
      select ${sql.raw(by)}(pid) from pg_stat_activity
      where query like ${`${beginning}%`} and state <> 'idle' and pid <> pg_backend_pid()
        and datname = current_database()`.execute(db);
    expect(rows).toHaveLength(1);
  });

test("throws DatabaseUnavailableError when a connection ends, but not when a statement is rejected or cancelled", async () => {
  const { db } = await ownService();
  const endOf = async (beginning: string, by: "pg_terminate_backend" | "pg_cancel_backend") => {
    const waiting = sql
      .raw(`${beginning} pg_sleep(60)`)
      .execute(db)
      .catch((error: unknown) => error);
    await endRunning(db, beginning, by);
    return waiting;
  };

  const cancelled = await endOf("select 1,", "pg_cancel_backend");
  const rejected = await sql`select nothing`.execute(db).catch((error: unknown) => error);
  const ended = await endOf("select 2,", "pg_terminate_backend");

  for (const error of [cancelled, rejected]) expect(error).toBeInstanceOf(pg.DatabaseError);
  expect(ended).toBeInstanceOf(DatabaseUnavailableError);
});

test("throws DatabaseUnavailableError when a connection ends between two statements, then runs the next transaction", async () => {
  const { db } = await ownService();

  const cutOff = db.transaction().execute(async (tx) => {
    await sql`select 3`.execute(tx);
    await endRunning(db, "select 3", "pg_terminate_backend");
    await tx.executeQuery(spend(tx, "one"));
  });

  await expect(cutOff).rejects.toBeInstanceOf(DatabaseUnavailableError);
  await db.transaction().execute((tx) => tx.executeQuery(spend(tx, "two")));
  expect(await count(db)).toBe(1);
});

test("throws DatabaseUnavailableError when a new connection ends before its first statement", async () => {
  const { databaseUrl } = await ownService();
  const line = await startNetworkProxy(databaseUrl);
  const { db, pool, close } = connect(line.url, openLog("silent"), { size: 1 });
  onTestFinished(async () => {
    await close();
    await line.close();
  });
  pool.once("connect", () => {
    line.cut();
    line.mend();
  });

  await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseUnavailableError);

  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
});

test("throws DatabaseUnavailableError when no server listens", async () => {
  const unreachable = connect("postgres://alcove:x@127.0.0.1:1/alcove", openLog("silent"));
  onTestFinished(() => unreachable.close());

  const error = await sql`select 1`.execute(unreachable.db).catch((failure: unknown) => failure);

  expect(error).toBeInstanceOf(DatabaseUnavailableError);
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

test("throws DatabaseUnavailableError when no connection becomes free in time", async () => {
  const { databaseUrl } = await ownService();
  const smallPool = connect(databaseUrl, openLog("silent"), { size: 1, connectionTimeoutMs: 1_000 });
  onTestFinished(() => smallPool.close());

  await smallPool.db.connection().execute(async (one) => {
    await sql`select 1`.execute(one);
    await expect(sql`select 1`.execute(smallPool.db)).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });

  expect((await sql`select 1`.execute(smallPool.db)).rows).toHaveLength(1);
});

test.each([
  ["failure on connection marked as essential: db-1:5432", true],
  ["postmaster was shut down, exiting", true],
  ["cache lookup failed for type 0", false],
])(
  "counts the loss of a cluster's node as an outage, but no other error without a code: %s",
  (text, isLoss) => {
    const error = new pg.DatabaseError(text, 0, "error");
    error.code = "XX000";

    expect(isOutage(error)).toBe(isLoss);
  },
);
