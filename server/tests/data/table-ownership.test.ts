import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const OWNED = /^server\/src\/(?<feature>[^/]+)\//;
const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*["'`]([\w.]+)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?([\w.]+)/gi,
  /\bupdate\s+(?:only\s+)?"?([\w.]+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bcopy\s+"?([\w.]+)"?\s*(?:\([^)]*\)\s*)?from\b/gi,
];
const READS = [
  /\b(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin)\(\s*\[?\s*["'`]([\w.]+)/g,
  /\b(?:from|join)\s+"?([\w.]+)/gi,
];
/** Only their owner reads these tables. */
const PRIVATE = new Set(["members"]);

/**
 * Finds statements that write a table outside of its owner's *.sql.ts files, or read a private table outside of its owner.
 * A feature owns the tables of its tables.ts.
 */
function findForeignStatements(files: Map<string, string>): string[] {
  const owners = new Map(
    [...files].flatMap(([path, text]) =>
      path.endsWith("/tables.ts") ? tablesIn(text).map((table) => [table, featureOf(path)] as const) : [],
    ),
  );
  return [...files].flatMap(([path, text]) => {
    if (featureOf(path) === "testing" || path.endsWith(".test.ts")) return [];
    const reads = tablesOf(READS, text).flatMap((table) => {
      const owner = PRIVATE.has(table) ? owners.get(table) : undefined;
      if (!owner || owner === featureOf(path)) return [];
      return [`${path}: reads ${table}; instead: use a function or query of ${owner}`];
    });
    const writes = tablesOf(WRITES, text).flatMap((table) => {
      const owner = owners.get(table);
      if (!owner) return [];
      if (owner !== featureOf(path))
        return [`${path}: writes ${table}; instead: call a function of ${owner}`];
      return path.endsWith(".sql.ts")
        ? []
        : [`${path}: writes ${table}; instead: move the statement to a .sql.ts file`];
    });
    return writes.length > 0 ? writes : reads;
  });
}

function featureOf(path: string): string {
  return OWNED.exec(path)?.groups?.["feature"] ?? "";
}

function tablesIn(text: string): string[] {
  const bodies = [...text.matchAll(/interface \w*Tables \{([^}]*)\}/g)].map(([, body = ""]) => body);
  return bodies.flatMap((body) =>
    [...body.matchAll(/^\s*"?([\w.]+)"?\s*:/gm)].map(([, table = ""]) => table),
  );
}

function tablesOf(patterns: RegExp[], text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "$1");
  const tables = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table = ""]) => table));
  return [...new Set(tables)];
}

const tables = `export interface MembersTables {
  members: MembersTable;
  email_index: { blind: Buffer };
}`;

function problemsOf(path: string, source: string): string[] {
  return findForeignStatements(
    new Map([
      ["server/src/members/tables.ts", tables],
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
    "server/src/discovery/likes.sql.ts: writes members; instead: call a function of members",
  );
});

test("accepts a write of the owner only when it is in a .sql.ts file", () => {
  const statement = `db.insertInto("members").values(row)`;

  expect(problemsOf("server/src/members/sign-up.sql.ts", statement)).toEqual([]);
  expect(problemsOf("server/src/members/sign-up.ts", statement)).toEqual([
    "server/src/members/sign-up.ts: writes members; instead: move the statement to a .sql.ts file",
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
    `${path}: reads members; instead: use a function or query of members`,
  ]);
  expect(problemsOf("server/src/members/locks.ts", statement)).toEqual([]);
});

test("finds no foreign statement in the server", () => {
  const source = join(import.meta.dirname, "../../src");
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  const files = paths.map(
    (path) => [`server/src/${path}`, readFileSync(join(source, path), "utf8")] as const,
  );

  expect(findForeignStatements(new Map(files))).toEqual([]);
});
