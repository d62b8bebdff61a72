/**
 * Every statement that writes a table outside of the feature that owns it, or outside of its *.sql.ts files.
 * Who owns a table is read from the `interface Tables` in each feature's tables.ts.
 *
 * @param {Map<string, string>} files source text by path from the root
 * @returns {string[]}
 */
export function findForeignWrites(files) {
  const owners = readOwners(files);
  /** @type {string[]} */
  const problems = [];
  for (const [path, source] of files) {
    const [, feature] = /^server\/src\/([^/]+)\//.exec(path) ?? [];
    if (!feature || feature === "testing" || path.endsWith(".test.ts")) continue;

    for (const table of writtenTables(source)) {
      const owner = owners.get(table);
      if (!owner) continue;
      if (owner !== feature)
        problems.push(`${path}: writes ${table}, which is ${owner}'s; instead: ask ${owner} to do it`);
      else if (!path.endsWith(".sql.ts"))
        problems.push(`${path}: writes ${table}; instead: move the statement to a .sql.ts file`);
    }
  }
  return problems;
}

/** @param {Map<string, string>} files */
function readOwners(files) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const [path, source] of files) {
    const [, feature] = /^server\/src\/([^/]+)\/tables\.ts$/.exec(path) ?? [];
    if (!feature) continue;
    for (const [, body = ""] of source.matchAll(/interface Tables \{([^}]*)\}/g)) {
      for (const [, table = ""] of body.matchAll(/^\s*"?([\w.]+)"?\s*:/gm)) owners.set(table, feature);
    }
  }
  return owners;
}

const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*["'`]([\w.]+)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?([\w.]+)/gi,
  /\bupdate\s+(?:only\s+)?"?([\w.]+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bcopy\s+"?([\w.]+)"?\s*(?:\([^)]*\)\s*)?from\b/gi,
];

/** @param {string} source */
function writtenTables(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "$1");
  return new Set(WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? "")));
}
