import { listFiles, readText, report } from "./lib/project.js";

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
export function findForeignStatements(files: Map<string, string>): string[] {
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

if (import.meta.main) {
  const paths = listFiles("server/src").filter((path) => path.endsWith(".ts"));
  report(findForeignStatements(new Map(paths.map((path) => [path, readText(path)]))));
}
