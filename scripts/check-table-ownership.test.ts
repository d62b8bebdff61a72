import { expect, test } from "vitest";
import { findForeignStatements } from "./check-table-ownership.ts";

const tables = `export interface AccountsTables {
  members: MembersTable;
  email_index: { blind: Buffer };
}`;

function problemsOf(path: string, source: string): string[] {
  return findForeignStatements(
    new Map([
      ["server/src/accounts/tables.ts", tables],
      [path, source],
    ]),
  );
}

test.each([
  `db.insertInto("members").values(row)`,
  `db.updateTable("members").set(row)`,
  `db.deleteFrom("members").where("no", "=", 1)`,
  "sql`insert into members (no) values (1)`",
  "sql`update members set no = 2`",
  "sql`update members as m set no = 2`",
  "sql`with gone as (delete from members returning no) select no from gone`",
  "sql`truncate members`",
])("reports a feature when it writes a table of another feature: %s", (statement) => {
  const [problem] = problemsOf("server/src/discovery/likes.sql.ts", statement);

  expect(problem).toBe(
    "server/src/discovery/likes.sql.ts: writes members; instead: call a function of accounts",
  );
});

test("accepts a write of the owner only when it is in a .sql.ts file", () => {
  const statement = `db.insertInto("members").values(row)`;

  expect(problemsOf("server/src/accounts/sign-up.sql.ts", statement)).toEqual([]);
  expect(problemsOf("server/src/accounts/sign-up.ts", statement)).toEqual([
    "server/src/accounts/sign-up.ts: writes members; instead: move the statement to a .sql.ts file",
  ]);
});

test("accepts reads of other tables and writes of tests", () => {
  expect(problemsOf("server/src/discovery/likes.sql.ts", `db.selectFrom("email_index")`)).toEqual([]);
  expect(problemsOf("server/src/discovery/likes.sql.ts", "sql`select no from email_index`")).toEqual([]);
  expect(problemsOf("server/src/discovery/likes.test.ts", `db.deleteFrom("members")`)).toEqual([]);
});

test.each([
  `db.selectFrom("members as m")`,
  `query.innerJoin("members as m", "m.member_no", "p.member_no")`,
  "sql`select no from members for update`",
  "sql`select no from profiles p join members m using (member_no)`",
])("reports a feature when it reads the table of members: %s", (statement) => {
  const path = "server/src/discovery/likes.sql.ts";

  expect(problemsOf(path, statement)).toEqual([
    `${path}: reads members; instead: use a function or query of accounts`,
  ]);
  expect(problemsOf("server/src/accounts/locks.ts", statement)).toEqual([]);
});
