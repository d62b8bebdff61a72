import { sql } from "kysely";
import { expect, test } from "vitest";
import { serviceOfTest } from "../testing/match.ts";
import { runPlanned } from "./database.ts";

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
